#!/usr/bin/env python3
"""Runs the commands of commands.txt against a real API server and against the fake one, and compares exit codes, output and errors.

    REAL_KUBECONFIG=real.yaml FAKE_KUBECONFIG=fake.yaml compare.py [--record FILE] [--out DIRECTORY] [TEXT...]

With TEXT, only commands with one of these texts, or in a section of such a name, are run; @FILE has a text in each line. Each command runs in a namespace of its own with the
objects of objects/namespace.yaml, in a directory with the files of objects/; those of a section that is marked "shared" only read, and share one.
Objects of objects/cluster.yaml are created before and deleted after. What no two servers have in common is replaced first: uids, times, versions,
addresses, random names, the widths of columns. Sections that
are marked "alone" change objects without a namespace, and run one command after the other. differences.txt names the commands whose answers are known to differ, and why; the program fails if
others differ or if one of these does not. The real server should run no controllers, and hold nothing of value.

answers.json.gz has answers of a kube-apiserver 1.36.2: `compare.py --record answers.json.gz` needs the fake server alone. Without real answers, those
of the fake server are printed.
"""
import argparse, base64, collections, concurrent.futures, difflib, gzip, http.client, itertools, json, os, pathlib, re, shutil, ssl, subprocess, sys, tempfile, threading, time, urllib.parse
import yaml

HERE = pathlib.Path(__file__).parent
KUBECTL = shutil.which(os.environ.get('KUBECTL', 'kubectl'))
RUN = format(os.getpid() % 4096, '03x')

NORMAL = [(re.compile(pattern, re.M), to) for pattern, to in [
    (r'\bx' + RUN + r'-(\d{3,4})\b', 'NAMESPACE'),
    (r'https?://(127\.0\.0\.1|localhost):\d+', 'SERVER'),
    (r'127\.0\.0\.1:\d+', 'HOST'),
    (r'\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b', 'UID'),
    (r'\beyJ[\w-]+\.[\w-]+\.[\w-]*', 'TOKEN'),
    (r'(\\?"?(?:resourceVersion|metadata\.resourceVersion)\\?"?[:=]\s?\\?"?)\d+', r'\1VERSION'),
    (r'(Resource Version:\s+|Expected resource version to be \d+, was )\d+', r'\1VERSION'),
    (r'\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?(Z| [+-]\d{4} \w+)?', 'TIME'),
    (r'\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d [+-]\d{4}', 'TIME'),
    (r'^(I\d{4}|LOG) .* "Waited before sending request".*\n', ''),
    (r'^[EWI]\d{4} \d\d:\d\d:\d\d\.\d+ +\d+ ', 'LOG '),
    (r'(?<!\S)(\d+[smhd]){1,2}(?=[\s)]|$)', 'AGE'),
    (r'\bkubernetes-admin\b', 'admin'),
    (r'\b10\.\d+\.\d+\.\d+\b', 'ADDRESS'),
    (r'\b3[012]\d{3}\b', 'PORT'),
    (r'(tmp/|/)(LIVE|MERGED)-\d+', r'/\2'),
    (r'diff-\d+|kubectl[.\d]*-edit-\d+(\.\w+)?', 'FILE'),
    (r'(?<=[a-z]-)[bcdfghjklmnpqrstvwxz2456789]{5}\b', 'RANDOM'),
    (r'[ \t]{2,}', '  '),
    (r'[ \t]+$', ''),
    (r'^-{20,}$', '---'),
]]


class Server:
    """One API server: requests to it, and commands with its kubeconfig."""

    def __init__(self, name, kubeconfig, work):
        self.name, self.config = name, yaml.safe_load(pathlib.Path(kubeconfig).read_text())
        cluster, user = self.config['clusters'][0]['cluster'], self.config['users'][0]['user']
        self.url = urllib.parse.urlsplit(cluster['server'])
        self.headers = {'Content-Type': 'application/json'}
        base = pathlib.Path(kubeconfig).resolve().parent
        for part, key in [(cluster, 'certificate-authority'), (user, 'client-certificate'), (user, 'client-key')]:
            if key in part:
                part[key] = str(base / part[key])
        self.tls = ssl.create_default_context() if self.url.scheme == 'https' else None
        if self.tls:
            authority = cluster.get('certificate-authority-data')
            self.tls.load_verify_locations(cadata=base64.b64decode(authority).decode() if authority else None,
                                           cafile=cluster.get('certificate-authority'))
            if 'client-certificate-data' in user:
                pem = work / f'{name}.pem'
                pem.write_bytes(base64.b64decode(user['client-certificate-data']) + b'\n' + base64.b64decode(user['client-key-data']))
                self.tls.load_cert_chain(pem)
        if 'token' in user:
            self.headers['Authorization'] = 'Bearer ' + user['token']
        self.home = work / name
        self.home.mkdir()
        self.kinds, self.local = {}, threading.local()
        self.discover()

    def call(self, method, path, body=None, content='application/json', accept='application/json'):
        if not hasattr(self.local, 'connection'):
            self.local.connection = (http.client.HTTPSConnection(self.url.hostname, self.url.port, context=self.tls) if self.tls
                                     else http.client.HTTPConnection(self.url.hostname, self.url.port))
        connection = self.local.connection
        try:
            connection.request(method, path, None if body is None else json.dumps(body),
                               {**self.headers, 'Content-Type': content, 'Accept': accept})
            answer = connection.getresponse()
            text = answer.read()
        except ConnectionRefusedError:
            raise
        except (OSError, http.client.HTTPException):
            connection.close()  # it was idle for too long; the next request opens it anew
            return self.call(method, path, body, content, accept)
        return answer.status, (json.loads(text) if text[:1] == b'{' else text.decode())

    def discover(self):
        for root in '/api', '/apis':
            for group in self.call('GET', root, accept='application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList')[1]['items']:
                name = group['metadata'].get('name', '')
                for version in group['versions']:
                    full = f'{name}/{version["version"]}' if name else version['version']
                    for resource in version['resources']:
                        self.kinds[full, resource['responseKind']['kind']] = (root, full, resource['resource'], resource['scope'] == 'Namespaced',
                                                                             resource['verbs'])

    def path(self, kind, namespace):
        root, version, plural, namespaced, _ = self.kinds[kind]
        return f'{root}/{version}/' + (f'namespaces/{namespace}/' if namespaced else '') + plural

    def create(self, objects, namespace):
        uids = {}
        for tree in objects:
            text = re.sub(r'\$uid\((.*?)\)', lambda match: uids[match[1]], json.dumps(tree).replace('$namespace', str(namespace)))
            tree = json.loads(text)
            kind = tree['apiVersion'], tree['kind']
            while kind not in self.kinds:  # a definition takes a moment until its type is served
                time.sleep(0.2)
                self.discover()
            path = self.path(kind, namespace)
            status, answer = self.call('POST', path, tree)
            while status == 409 and self.call('GET', path + '/' + tree['metadata']['name'])[1].get('metadata', {}).get('deletionTimestamp'):
                time.sleep(0.5)  # that of an earlier run is about to go
                status, answer = self.call('POST', path, tree)
            if status == 409:
                continue
            if status >= 300:
                raise ValueError(f'{self.name} refuses a starting object: {answer}')
            uids[tree['kind'] + '/' + tree['metadata']['name']] = answer['metadata']['uid']
            if 'status' in tree and kind[1] != 'Event':
                status, answer = self.call('PATCH', path + '/' + tree['metadata']['name'] + '/status', {'status': tree['status']},
                                           'application/merge-patch+json')
                if status >= 300:
                    raise ValueError(f'{self.name} refuses the status of a starting object: {answer}')

    def namespace(self, name, objects):
        self.create([{'apiVersion': 'v1', 'kind': 'Namespace', 'metadata': {'name': name}}], None)
        self.create([{'apiVersion': 'v1', 'kind': 'ServiceAccount', 'metadata': {'name': 'default'}}], name)
        self.create(objects, name)

    def remove(self, name):
        """Deletes the namespace with all that is in it, also where no controller does that."""
        self.call('DELETE', '/api/v1/namespaces/' + name)
        for kind, (_, _, _, namespaced, verbs) in self.kinds.items():
            if namespaced and 'deletecollection' in verbs:
                path = self.path(kind, name)
                deleted = self.call('DELETE', path, {'gracePeriodSeconds': 0, 'propagationPolicy': 'Background'})[1]
                for left in deleted.get('items', []) if isinstance(deleted, dict) else []:
                    if 'finalizers' in left['metadata']:
                        self.call('PATCH', path + '/' + left['metadata']['name'], {'metadata': {'finalizers': None}}, 'application/merge-patch+json')
        status, left = self.call('GET', '/api/v1/namespaces/' + name)
        if status == 200:
            left['spec']['finalizers'] = []
            self.call('PUT', f'/api/v1/namespaces/{name}/finalize', left)

    def run(self, command, namespace, work):
        directory = pathlib.Path(tempfile.mkdtemp(dir=work))
        for file in (HERE / 'objects').iterdir():
            shutil.copy(file, directory)
        config = json.loads(json.dumps(self.config))
        for context in config['contexts']:
            context['context']['namespace'] = namespace
        (directory / '.kubeconfig').write_text(yaml.safe_dump(config))
        environment = {'PATH': os.environ['PATH'], 'HOME': str(self.home), 'KUBECONFIG': str(directory / '.kubeconfig'), 'NS': namespace,
                       'TMPDIR': str(directory), 'KUBE_EDITOR': 'false'}
        script = f'kubectl() {{ {KUBECTL} "$@"; }}; PS4=; ' + command
        try:
            done = subprocess.run(['bash', '-c', script], cwd=directory, env=environment, capture_output=True, timeout=90, stdin=subprocess.DEVNULL)
            code, out, error = done.returncode, done.stdout, done.stderr
        except subprocess.TimeoutExpired as late:
            code, out, error = 'late', late.stdout or b'', late.stderr or b''
        shutil.rmtree(directory, ignore_errors=True)
        return f'exit {code}\n' + ''.join(f'--- {name}\n{normal(text.decode(errors="replace"), directory)}'
                                           for name, text in (('out', out), ('error', error)) if text)


def normal(text, directory):
    text = text.replace(str(directory), 'DIRECTORY')
    for pattern, to in NORMAL:
        text = pattern.sub(to, text)
    return text


def sections(words):
    """The commands by section: (name, mark, commands)."""
    found = []
    for line in (HERE / 'commands.txt').read_text().splitlines():
        if line.startswith('['):
            name, _, mark = line[1:].partition(']')
            found.append((name, mark.strip(), []))
        elif line and not line.startswith('#') and (not words or any(word in line or word == found[-1][0] for word in words)):
            found[-1][2].append(line)
    return [section for section in found if section[2]]


def main():
    parser = argparse.ArgumentParser(fromfile_prefix_chars='@')
    parser.add_argument('--out', type=pathlib.Path)
    parser.add_argument('--threads', type=int, default=4)
    parser.add_argument('--record', type=pathlib.Path, help='keep the answers of the real server in this file, packed; those in it are not asked for again')
    parser.add_argument('words', nargs='*')
    options = parser.parse_args()
    recorded = json.loads(gzip.decompress(options.record.read_bytes())) if options.record and options.record.exists() else {}
    work = pathlib.Path(tempfile.mkdtemp())
    servers = [Server(name, os.environ[variable], work) for name, variable in (('real', 'REAL_KUBECONFIG'), ('fake', 'FAKE_KUBECONFIG'))
               if os.environ.get(variable)]
    if not servers:
        raise SystemExit('neither REAL_KUBECONFIG nor FAKE_KUBECONFIG names a server')
    both = len(servers) == 2 or bool(recorded)
    common = list(yaml.safe_load_all((HERE / 'objects' / 'cluster.yaml').read_text()))
    starting = list(yaml.safe_load_all((HERE / 'objects' / 'namespace.yaml').read_text()))
    known = dict(line.split(' # ', 1)[::-1] for line in (HERE / 'differences.txt').read_text().splitlines() if line and line[0] != '#')
    numbers, results, used = itertools.count(1), {}, []
    pool = concurrent.futures.ThreadPoolExecutor(options.threads)

    try:
        for server in servers:
            server.create(common, None)
        for name, mark, commands in sections(options.words):
            def named():
                used.append(f'x{RUN}-{next(numbers):03}')
                return used[-1]

            def asked(server, command, namespace):
                try:
                    if not mark == 'shared':
                        server.namespace(namespace, starting)
                    return server.run(command, namespace, work)
                except (OSError, ValueError, http.client.HTTPException) as failure:
                    return f'{server.name}: {failure!r}'
                finally:
                    if not mark == 'shared':  # each has an address, of which there are few
                        server.call('DELETE', server.path(('v1', 'Service'), namespace), {})

            def case(command):
                namespace = common_namespace or named()
                known_answer = recorded.get(f'{name}: {command}')
                return ([normal(known_answer, 'DIRECTORY')] if known_answer is not None else []) + [
                    asked(server, command, namespace) for server in servers if server.name == 'fake' or known_answer is None]

            common_namespace = None
            if mark == 'shared':
                common_namespace = named()
                for server in servers:
                    if server.name == 'fake' or any(f'{name}: {command}' not in recorded for command in commands):
                        server.namespace(common_namespace, starting)
            for command, answer in zip(commands, map(case, commands) if mark == 'alone' else pool.map(case, commands)):
                results[name, command] = answer
                if servers[0].name == 'real' and not answer[0].startswith('real: '):
                    recorded[f'{name}: {command}'] = answer[0]
            if options.record:
                options.record.write_bytes(gzip.compress(json.dumps(recorded, sort_keys=True).encode(), mtime=0))
            if options.out and both:
                options.out.mkdir(parents=True, exist_ok=True)
                (options.out / (name.replace(' ', '-') + '.diff')).write_text('\n'.join(
                    f'$ {command}\n' + '\n'.join(difflib.unified_diff(real.split('\n'), fake.split('\n'), 'real', 'fake', lineterm=''))
                    for (section, command), (real, *_, fake) in results.items() if section == name and real != fake))
            print(f'{name}: {sum(answer[0] == answer[-1] for (section, _), answer in results.items() if section == name)} of {len(commands)}', flush=True)
    finally:
        for server in servers:
            list(pool.map(server.remove, used))
            for tree in reversed([tree for tree in common if (tree['apiVersion'], tree['kind']) in server.kinds]):
                path = server.path((tree['apiVersion'], tree['kind']), None) + '/' + tree['metadata']['name']
                server.call('DELETE', path, {'gracePeriodSeconds': 0})
                if tree['kind'] == 'PersistentVolume':
                    server.call('PATCH', path, {'metadata': {'finalizers': None}}, 'application/merge-patch+json')
        shutil.rmtree(work, ignore_errors=True)
    report(results, known, options, both)


def report(results, known, options, two):
    if not two:
        for (_, command), (answer,) in results.items():
            print(f'$ {command}\n{answer}')
        return
    counts, wrong = collections.Counter(), 0
    for (section, command), (real, fake) in results.items():
        counts[section, real == fake] += 1
        if (real == fake) == (command in known):
            wrong += 1
            print(('same, though differences.txt says otherwise' if real == fake else 'different') + f': {command}')
    same = sum(real == fake for real, fake in results.values())
    print(f'{same} of {len(results)} the same')
    sys.exit(wrong > 0)


if __name__ == '__main__':
    main()
