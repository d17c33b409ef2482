#!/usr/bin/env python3
"""Makes messages.txt, the protocol buffers of the built-in types, from the struct tags of k8s.io/api, k8s.io/apimachinery and
k8s.io/apiextensions-apiserver.

    messages.py built-in-types.json API APIMACHINERY APIEXTENSIONS > messages.txt

The tags rather than the .proto files: only they tell pointers from values (Go always sends values, zero or not) and what JSON calls a field.
How values merge is in the tags (for strategic merge patches) and in the comments above them (+listType, +mapType, +structType, for server-side
apply, which goes by the tags where a list has no such comment).
"""
import json, os, re, sys

discovery, api, machinery, extensions = sys.argv[1:5]
SCALARS = {'string', 'bool', 'int32', 'int64', 'float64', 'byte', 'int', 'uint32'}
# Whose JSON is not that of a struct.
SPECIAL = {'Time', 'MicroTime', 'Duration', 'Quantity', 'IntOrString', 'FieldsV1', 'RawExtension', 'JSON', 'Verbs', 'ExtraValue',
           'JSONSchemaPropsOrArray', 'JSONSchemaPropsOrBool', 'JSONSchemaPropsOrStringArray'}
structs, aliases = {}, {}          # by (package, name)
atomic = set()                     # likewise, those that are one value


def markers(comments):
    found = {}
    for key, value in re.findall(r'//\s*\+([\w:]+)=(\S+)', comments):
        found.setdefault(key, []).append(value)
    return found


def package(directory, files, name):
    for file in files:
        path = os.path.join(directory, file)
        if not os.path.exists(path):
            continue
        text = re.sub(r'/\*.*?\*/', '', open(path).read(), flags=re.S)
        for match in re.finditer(r'^type (\w+) struct \{\n(.*?)^\}', text, flags=re.S | re.M):
            structs[name, match.group(1)] = match.group(2)
        for match in re.finditer(r'^type (\w+) struct ?\{\}', text, flags=re.M):
            structs[name, match.group(1)] = ''
        for match in re.finditer(r'((?:^//.*\n)+)^type (\w+) struct', text, flags=re.M):
            if 'atomic' in markers(match.group(1)).get('structType', []):
                atomic.add((name, match.group(2)))
        for match in re.finditer(r'^(?:type |\t)(\w+) (\*?[\w\[\].]+)$', text, flags=re.M):
            aliases.setdefault((name, match.group(1)), match.group(2))


package(machinery + '/pkg/apis/meta/v1', ['types.go'], 'meta.k8s.io/v1')
wanted = []
for group in json.load(open(discovery))['items']:
    name = group['metadata'].get('name', '')
    for version in group['versions']:
        v = version['version']
        directory = f'{extensions}/pkg/apis/apiextensions/{v}' if name == 'apiextensions.k8s.io' else \
            f"{api}/{'core' if not name else name.split('.')[0] if name != 'internal.apiserver.k8s.io' else 'apiserverinternal'}/{v}"
        at = f'{name}/{v}' if name else v
        package(directory, ['types.go', 'types_jsonschema.go'], at)
        for resource in version['resources']:
            wanted.append((at, resource['responseKind']['kind']))
            for sub in resource.get('subresources', []):
                kind = sub['responseKind']
                here = f"{kind['group']}/{kind['version']}" if kind.get('group') else kind.get('version') or at
                wanted.append((here, kind['kind']))
wanted += [('meta.k8s.io/v1', kind) for kind in ('DeleteOptions', 'Status', 'PartialObjectMetadata', 'PartialObjectMetadataList')]


def resolve(at, go):
    """The type of a field in our words."""
    if go.startswith('*'):
        return resolve(at, go[1:])
    if go == '[]byte':
        return 'bytes'
    if go.startswith('[]'):
        return '[]' + resolve(at, go[2:])
    match = re.match(r'map\[([\w.]+)\](.*)', go)
    if match:
        return 'map:' + resolve(at, match.group(2))
    prefix, _, name = go.rpartition('.')
    if name in SCALARS and not prefix:
        return name
    if name in SPECIAL:
        return name
    if prefix:
        here = {'metav1': 'meta.k8s.io/v1', 'v1': 'v1', 'corev1': 'v1', 'apiv1': 'v1', 'core': 'v1', 'authenticationv1': 'authentication.k8s.io/v1', 'types': 'types'}.get(prefix)
        if at.startswith(('apiextensions', 'meta')) and prefix == 'v1':
            here = 'meta.k8s.io/v1'
        if here == 'types':
            return 'string'
        if here is None:
            raise SystemExit(f'{at}: which package is {go}?')
        at = here
    if (at, name) in structs:
        wanted.append((at, name))
        return f'{at}.{name}'
    if (at, name) in aliases:
        return resolve(at, aliases[at, name])
    raise SystemExit(f'{at}: what is {go}?')


def merging(tag, said, kind):
    """How values of a field merge, in our words."""
    strategy = re.search(r'patchStrategy:"([^"]*)"', tag)
    key = re.search(r'patchMergeKey:"(\w+)"', tag)
    merges = strategy and 'merge' in strategy.group(1).split(',')
    words = []
    if merges and kind.startswith('[]'):
        words.append('merge=' + key.group(1) if key else 'merge')
    elif strategy and 'replace' in strategy.group(1).split(','):
        words.append('replace')
    if kind.startswith('[]') or kind == 'bytes':
        relation = said.get('listType', ['map' if key else 'set'] if merges else ['atomic'])[0]
        keys = said.get('listMapKey', [key.group(1)] if key else [])
        words += ['keys=' + ','.join(keys)] if relation == 'map' else ['set'] if relation == 'set' else []
    else:
        words += [word for word in said.get('mapType', []) + said.get('structType', []) if word == 'atomic' or not kind.startswith('map:')]
    if 'default' in said and re.fullmatch(r'"\w+"', said['default'][0]):
        words.append('default=' + said['default'][0].strip('"'))
    return words


def fields(at, body):
    comments = ''
    for line in body.split('\n'):
        if line.strip().startswith('//'):
            comments += line + '\n'
            continue
        match = re.match(r'\s*(?:(\w+)\s+)?([*\w\[\].]+)\s+`(.*)`', re.sub(r'//.*', '', line))
        said, comments = markers(comments), ''
        if not match or 'protobuf:' not in match.group(3):
            continue
        tag = re.search(r'protobuf:"(\w+),(\d+),', match.group(3))
        if not tag:
            continue
        words = re.search(r'json:"([^"]*)"', match.group(3)).group(1).split(',')
        go = match.group(2)
        name = words[0]
        inline = not name
        kind = resolve(at, go)
        struct = '.' in kind and kind[0] not in '[*' and not kind.startswith('map:') and not go.startswith('*')
        omitted = 'omitzero' in words or 'omitempty' in words and not struct
        yield [tag.group(2), '-' if inline else name, kind + ('*' if go.startswith('*') else '')] + ['?'] * omitted + merging(match.group(3), said, kind)


done = set()
lines = {}
while wanted:
    at, name = wanted.pop()
    if (at, name) in done or name in SPECIAL:
        continue
    done.add((at, name))
    body = structs.get((at, name))
    if body is None:
        print(f'no struct {at} {name}', file=sys.stderr)
        continue
    lines[f'{at}.{name}' + (' atomic' if (at, name) in atomic else '')] = [' '.join(words) for words in fields(at, body)]
for message in sorted(lines):
    print(message)
    for line in lines[message]:
        print(' ' + line)
