// Each link of the built site leads to a file of it, and each anchor to an element there. VitePress checks neither anchors nor copied files.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'

const site = 'target/site'
const files = readdirSync(site, { recursive: true }).filter(name => name.endsWith('.html') && !/^(files|api)\//.test(name))
const ids = new Map()
const mistakes = []

function idsOf(file) {
  if (!ids.has(file)) {
    ids.set(file, new Set([...readFileSync(file, 'utf8').matchAll(/ id="([^"]+)"/g)].map(match => match[1])))
  }
  return ids.get(file)
}

for (const name of files) {
  const page = join(site, name)
  for (const [, href] of readFileSync(page, 'utf8').matchAll(/<a [^>]*?href="([^"]*)"/g)) {
    if (/^[a-z]+:/.test(href)) {
      continue
    }
    const [path, anchor] = href.replaceAll('&amp;', '&').split('#')
    let target = path === '' ? page : path.startsWith('/') ? join(site, path) : join(dirname(page), path)
    if (existsSync(target) && statSync(target).isDirectory()) {
      target = join(target, 'index.html')
    }
    if (!existsSync(target)) {
      mistakes.push(`${name}: no such page: ${href}`)
    } else if (anchor && target.endsWith('.html') && !idsOf(target).has(decodeURIComponent(anchor))) {
      mistakes.push(`${name}: no such anchor: ${href}`)
    }
  }
}
console.log(`${files.length} pages, ${mistakes.length} broken links`)
mistakes.forEach(mistake => console.error(mistake))
process.exitCode = mistakes.length === 0 ? 0 : 1
