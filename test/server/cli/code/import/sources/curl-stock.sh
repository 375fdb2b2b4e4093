TOKEN=$(cat /run/secrets/token)
curl -s -H "Authorization: Bearer $TOKEN" -G shop.example.com/stock \
  --data-urlencode 'item=book & pen' -d limit=5 > /dev/null
echo "stock was asked"
