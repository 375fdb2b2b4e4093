#!/bin/sh
# Liveness of the shop, as a container asks for it.
curl -fsS -o/dev/null https://shop.example.com/health || exit 1
