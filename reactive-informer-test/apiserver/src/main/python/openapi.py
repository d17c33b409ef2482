#!/usr/bin/env python3
"""Makes schemas.json.gz, the schemas of the built-in types, from the OpenAPI documents of an API server of the wanted version.

    openapi.py KUBECONFIG schemas.json.gz
"""
import gzip, json, subprocess, sys

config, target = sys.argv[1:3]


def get(path):
    return json.loads(subprocess.run(['kubectl', '--kubeconfig', config, 'get', '--raw', path], check=True, capture_output=True).stdout)


schemas = {}
kinds = 'x-kubernetes-group-version-kind'  # each document names only its own group for DeleteOptions and WatchEvent
for path in get('/openapi/v3')['paths']:
    for name, schema in get('/openapi/v3/' + path).get('components', {}).get('schemas', {}).items():
        if name.startswith('io.k8s.'):
            known = schemas.setdefault(name, schema)
            if kinds in schema:
                known[kinds] += [kind for kind in schema[kinds] if kind not in known[kinds] and '.example.' not in kind['group']]
text = json.dumps(schemas, separators=(',', ':'), sort_keys=True).encode()
with open(target, 'wb') as file:
    file.write(gzip.compress(text, 9, mtime=0))
