#!/usr/bin/env python3
"""Makes what describes the built-in types, from an API server of the wanted version: schemas.json.gz, their schemas in OpenAPI, and
columns.json.gz, the columns of their printed tables.

    descriptions.py KUBECONFIG DIRECTORY
"""
import base64, gzip, json, pathlib, ssl, sys, urllib.request
import yaml

config, target = yaml.safe_load(pathlib.Path(sys.argv[1]).read_text()), pathlib.Path(sys.argv[2])
cluster = config['clusters'][0]['cluster']
authority = ssl.create_default_context(cadata=base64.b64decode(cluster['certificate-authority-data']).decode())


def get(path, form='application/json'):
    headers = {'Accept': form, 'Authorization': 'Bearer ' + config['users'][0]['user']['token']}
    return json.load(urllib.request.urlopen(urllib.request.Request(cluster['server'] + path, headers=headers), context=authority))


def write(name, tree):
    text = json.dumps(tree, separators=(',', ':'), sort_keys=True).encode()
    (target / name).write_bytes(gzip.compress(text, 9, mtime=0))


schemas = {}
kinds = 'x-kubernetes-group-version-kind'  # each document names only its own group for DeleteOptions and WatchEvent
for path in get('/openapi/v3')['paths']:
    for name, schema in get('/openapi/v3/' + path).get('components', {}).get('schemas', {}).items():
        if name.startswith('io.k8s.'):
            known = schemas.setdefault(name, schema)
            if kinds in schema:
                known[kinds] += [kind for kind in schema[kinds] if kind not in known[kinds] and '.example.' not in kind['group']]
write('schemas.json.gz', schemas)

columns = {}
for root in '/api', '/apis':
    for group in get(root, 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList')['items']:
        name, version = group['metadata'].get('name', ''), group['versions'][0]
        for resource in version['resources']:
            if 'list' in resource['verbs'] and '.example.' not in name:
                path = '/'.join(filter(None, [root, name, version['version'], resource['resource']])) + '?limit=1&includeObject=None'
                columns['.'.join(filter(None, [resource['resource'], name]))] = get(path, 'application/json;as=Table;v=v1;g=meta.k8s.io')['columnDefinitions']
write('columns.json.gz', columns)
