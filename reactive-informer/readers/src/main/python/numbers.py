#!/usr/bin/env python3
"""Compares messages.txt with its sources in another way than messages.py made it, and makes the table by which the build compares it.

    numbers.py messages.txt API APIMACHINERY APIEXTENSIONS > numbers.txt

The three directories are those of messages.py. Numbers, names and types are taken from the generated.proto files, which messages.py does not
read; pointers, omitempty and patchStrategy from the tags of types.go. Prints each difference on stderr, and ends with 1 if there is one.
In numbers.txt each line is a message and its fields, separated by commas: number, name in protocol buffers, type, * for a pointer,
? for omitempty, ! for omitzero, and the patch's strategy and key.
"""
import os, re, sys

table, api, machinery, extensions = sys.argv[1:5]


def directory(group):
    name, _, version = group.rpartition('/')
    if name == 'meta.k8s.io':
        return machinery + '/pkg/apis/meta/' + version
    if name == 'apiextensions.k8s.io':
        return extensions + '/pkg/apis/apiextensions/' + version
    return f"{api}/{'apiserverinternal' if name.startswith('internal.') else name.split('.')[0] or 'core'}/{version}"


def read(group, *names):
    paths = [os.path.join(directory(group), name) for name in names]
    return '\n'.join(open(path).read() for path in paths if os.path.exists(path))


FIELD = re.compile(r'(?:optional|repeated|(?=map<))\s*(map<string, *([\w.]+)>|[\w.]+) (\w+) = (\d+);')


def official(group):
    """The fields of each message of a generated.proto: number -> (name, type)."""
    messages = {}
    text = re.sub(r'//.*', '', read(group, 'generated.proto'))
    for name, body in re.findall(r'^message (\w+) \{(.*?)^\}', text, flags=re.S | re.M):
        fields = messages[name] = {}
        for line in body.split(';'):
            match = FIELD.search(line + ';')
            if match:
                kind = (match.group(2) or match.group(1)).rpartition('.')[2].replace('double', 'float64')
                count = 'map:' if match.group(2) else '[]' if 'repeated ' in line else ''
                fields[int(match.group(4))] = (match.group(3), count + kind)
    return messages


def tags(group):
    """The tags of each struct's fields: number -> (pointer, words of json, strategy, key)."""
    structs = {}
    text = re.sub(r'/\*.*?\*/', '', read(group, 'types.go', 'types_jsonschema.go'), flags=re.S)
    for name, body in re.findall(r'^type (\w+) struct \{\n(.*?)^\}', text, flags=re.S | re.M):
        fields = structs[name] = {}
        for go, tag in re.findall(r'^\s*(?:\w+\s+)?(\S+)\s+`(.*?)`', re.sub(r'^\s*//.*$', '', body, flags=re.M), flags=re.M):
            number = re.search(r'protobuf:"\w+,(\d+),', tag)
            if number:
                def value(key):
                    found = re.search(key + r':"([^"]*)"', tag)
                    return found.group(1) if found else ''
                fields[int(number.group(1))] = (go.startswith('*'), value('json').split(','), value('patchStrategy'), value('patchMergeKey'))
    return structs


ours = {}
for line in open(table):
    if line.startswith(' '):
        fields.append(line.split())
    elif line.strip() and not line.startswith('#'):
        fields = ours[line.split()[0]] = []
groups = {name.rpartition('.')[0] for name in ours}
protos, structs = {g: official(g) for g in groups}, {g: tags(g) for g in groups}
wrong = []
print('# The messages of k8s.io/api v0.36.2, k8s.io/apimachinery and k8s.io/apiextensions-apiserver (Apache-2.0, Copyright The Kubernetes')
print('# Authors), from their generated.proto and types.go. Made by src/main/python/numbers.py, which says what the columns are.')
for message in sorted(ours):
    group, _, name = message.rpartition('.')
    proto, struct = protos[group].get(name), structs[group].get(name, {})
    if proto is None:
        wrong.append(f'{message}: no such message')
        continue
    lines = {}
    for number, (field, kind) in sorted(proto.items()):
        pointer, words, strategy, key = struct.get(number, (False, [field], '', ''))
        marks = '*' * pointer + '?' * ('omitempty' in words) + '!' * ('omitzero' in words)
        lines[number] = ' '.join(filter(None, [str(number), field, kind + marks, strategy.replace(',', '+'), key]))
        own = next((f for f in ours[message] if int(f[0]) == number), None)
        if own is None:
            wrong.append(f'{message}: {lines[number]} is missing')
            continue
        own_kind = re.sub(r'(\[\]|map:)?(?:.*\.)?(\w+)(\*?)', lambda m: (m.group(1) or '') + m.group(2) + m.group(3), own[2])
        is_struct = '.' in own[2] and not own[2].startswith(('[]', 'map:')) and not pointer
        omitted = 'omitzero' in words or 'omitempty' in words and not is_struct
        merges = 'merge' in strategy.split(',') and kind.startswith('[]')
        own_merge = [word for word in own[3:] if word.startswith(('merge', 'replace'))]
        merge = ['merge' + ('=' + key if key else '')] if merges else ['replace'] if 'replace' in strategy.split(',') else []
        json_name = '-' if not words[0] else words[0]
        if (own_kind, own[1], '?' in own[3:], own_merge) != (kind + '*' * pointer, json_name, omitted, merge):
            wrong.append(f'{message}: {" ".join(own)} is {lines[number]} in the sources')
    for own in ours[message]:
        if int(own[0]) not in proto:
            wrong.append(f'{message}: {" ".join(own)} is not in the sources')
    print(message + ': ' + ', '.join(lines.values()))
for line in wrong:
    print(line, file=sys.stderr)
sys.exit(bool(wrong))
