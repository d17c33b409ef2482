#!/usr/bin/env python3
"""Asks Kubernetes' own code each case of refused-objects.txt, and writes its answers below them.

    refused-objects.py JUDGE valid-objects.txt refused-objects.txt > new-refused-objects.txt

JUDGE is the program of refused-objects.go, built in a tree that vendors k8s.io/kubernetes 1.36 (its decoders, defaults and strategies, so no
admission and no allocation of addresses).
"""
import copy, json, subprocess, sys

judge, valid, cases = sys.argv[1:4]
objects = {}
for line in open(valid):
    kind, path, text = line.rstrip('\n').split(' ', 2)
    objects[kind] = json.loads(text)


def ask(rows):
    """Of rows of type, valid object (for an update) and object, separated by tabs; a row without an object asks what a valid object becomes."""
    answers = subprocess.run([judge], input='\n'.join(rows) + '\n', stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    return answers.stdout.rstrip('\n').split('\n')


def change(tree, path, text):
    names = [int(name) if name.isdigit() else name for name in path.split('.')]
    for name in names[:-1]:
        tree = tree.setdefault(name, {}) if isinstance(tree, dict) else tree[name]
    last = names[-1]
    if text == '-':
        tree.pop(last, None)
    elif isinstance(tree, list) and last == len(tree):
        tree.append(json.loads(text))
    else:
        tree[last] = json.loads(text)


created = dict(zip(objects, map(json.loads, ask([f'{kind}\t{json.dumps(valid)}\t' for kind, valid in objects.items()]))))
lines = [line.rstrip('\n') for line in open(cases) if not line.startswith(' ')]
rows = []
for line in lines:
    if line and not line.startswith('#'):
        verb, kind, field, text = line.split(' ', 3)
        sent = copy.deepcopy(created[kind] if verb == 'update' else objects[kind])
        change(sent, field, text)
        rows.append('\t'.join([kind, json.dumps(objects[kind]) if verb == 'update' else '', json.dumps(sent, ensure_ascii=False)]))
answers = iter(ask(rows))
for line in lines:
    print(line)
    if line and not line.startswith('#'):
        answer = next(answers)
        print(' 201' if answer == '200' and line.startswith('create') else ' ' + answer)
