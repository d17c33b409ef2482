#!/bin/sh
# Writes keys as openssl writes them, in the forms that users have, to the directory of the first argument. The keys beside this script are what it wrote
# with OpenSSL 3.0; they protect nothing.
set -eu
cd "$1"
for curve in P-256 P-384 P-521 secp256k1; do
    mkdir -p "$curve"
    openssl ecparam -name "$curve" -genkey -out "$curve/parameters-and-sec1.pem"
    openssl ec -in "$curve/parameters-and-sec1.pem" -out "$curve/sec1.pem"
    openssl ec -in "$curve/sec1.pem" -no_public -out "$curve/sec1-without-public.pem"
    openssl ec -in "$curve/sec1.pem" -param_enc explicit -out "$curve/explicit-sec1.pem"
    openssl pkcs8 -topk8 -nocrypt -in "$curve/sec1.pem" -out "$curve/pkcs8.pem"
    openssl pkcs8 -topk8 -nocrypt -in "$curve/explicit-sec1.pem" -out "$curve/explicit-pkcs8.pem"
    openssl ec -in "$curve/sec1.pem" -pubout -out "$curve/public.pem"
done
mkdir -p RSA Ed25519 encrypted other
openssl genrsa -traditional -out RSA/pkcs1.pem 2048
openssl pkcs8 -topk8 -nocrypt -in RSA/pkcs1.pem -out RSA/pkcs8.pem
openssl pkey -in RSA/pkcs1.pem -pubout -out RSA/public.pem
openssl genpkey -algorithm ed25519 -out Ed25519/pkcs8.pem
openssl pkey -in Ed25519/pkcs8.pem -pubout -out Ed25519/public.pem
openssl ec -in P-256/sec1.pem -aes128 -passout pass:x -out encrypted/sec1.pem
openssl pkcs8 -topk8 -passout pass:x -in P-256/sec1.pem -out encrypted/pkcs8.pem
openssl rsa -traditional -aes128 -passout pass:x -in RSA/pkcs1.pem -out encrypted/pkcs1.pem
openssl genpkey -algorithm x25519 -out other/x25519.pem
openssl genpkey -algorithm RSA-PSS -out other/rsa-pss.pem
