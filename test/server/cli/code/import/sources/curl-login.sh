curl --fail-with-body -sSL -m 10 'https://shop.example.com/login?from=probe' \
  -H 'X-Trace: a' \
  -d 'user=probe+1@example.com' -d "password=$SHOP_PASSWORD" -w%{http_code}
