// The API of all modules, in target/site/api, by the javadoc tool of a JDK 17 or newer. Maven builds the modules for it, without running tests, and
// says what their class path is. Internal packages are left out.
import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const target = fileURLToPath(new URL('target', import.meta.url))
const modules = ['reactive-informer/client', 'reactive-informer/informer', 'reactive-informer/operator', 'reactive-informer/micrometer', 'reactive-informer/kafka', 'reactive-informer/dashboard',
  'reactive-informer/spring-boot', 'reactive-informer-test/apiserver', 'reactive-informer-test/kit']
const version = /<version>(.+?)<\/version>/.exec(readFileSync(join(root, 'pom.xml'), 'utf8'))[1]

mkdirSync(target, { recursive: true })
const list = 'target/site-classpath'
execFileSync('./mvnw', ['-q', 'package', '-DskipTests', '-pl', modules.join(), '-am', 'dependency:build-classpath',
  `-Dmdep.outputFile=${list}`, '-Dmdep.includeScope=compile'], { cwd: root, stdio: 'inherit' })
const classpath = new Set(modules.flatMap(module => readFileSync(join(root, module, list), 'utf8').trim().split(delimiter)))

const sources = modules.map(module => join(root, module, 'src/main/java'))
const files = sources.flatMap(source => readdirSync(source, { recursive: true })
  .filter(name => name.endsWith('.java') && name !== 'module-info.java' && !name.includes('internal'))
  .map(name => join(source, name)))
const options = join(target, 'javadoc.options')
writeFileSync(options, [
  '-quiet', '-protected', '-Xdoclint:all,-missing', '-encoding', 'UTF-8', '--release', '17',
  '-d', join(target, 'site/api'),
  '-classpath', [...classpath].join(delimiter),
  '-windowtitle', `reactive-informer ${version}`, '-doctitle', `reactive-informer ${version}`,
  '-sourcepath', sources.join(delimiter),
  ...files
].map(option => `"${option.replaceAll('\\', '\\\\')}"`).join('\n'))
execFileSync('javadoc', [`@${options}`], { stdio: 'inherit' })
