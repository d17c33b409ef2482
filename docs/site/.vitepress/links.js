// The pages are written to be read in the repository. Here their links are turned into links of the site: to a page, or to a copy of the file.
import { copyFileSync, existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname, join, normalize, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../../..', import.meta.url)).replace(/\/$/, '')
const copies = fileURLToPath(new URL('../target/site', import.meta.url))

/** Where each page of the repository is in the site. */
export function routes(page) {
  return page
    .replace(/^docs\//, '')
    .replace(/^site\//, '')
    .replace(/^CHANGELOG\.md$/, 'changes.md')
    .replace(/^RESULTS\.md$|(?<=\/)RESULTS\.md$/, 'results.md')
    .replace(/README\.md$/, 'index.md')
    .replace(/^(ARCHITECTURE|CONTRIBUTING)\.md$/, name => name.toLowerCase())
}

/** The link of the site for `href` on the page in `file`; null if there is nothing to link to. */
export function linkOf(href, file) {
  if (/^([a-z]+:|#|\/)/.test(href)) {
    return href
  }
  const [path, anchor] = href.split('#')
  const target = normalize(join(dirname(file), path))
  if (!existsSync(target)) {
    throw new Error(`${file}: no such file: ${href}`)
  }
  if (statSync(target).isDirectory()) {
    return null
  }
  const inside = relative(root, target)
  return inside.endsWith('.md') ? `/${routes(inside)}${anchor ? `#${anchor}` : ''}` : `/files/${copied(inside, target)}`
}

function copied(name, file) {
  const copy = join(copies, 'files', name)
  mkdirSync(dirname(copy), { recursive: true })
  copyFileSync(file, copy)
  return name
}

export function repositoryLinks(md) {
  md.core.ruler.push('repository_links', state => {
    const file = state.env.realPath ?? state.env.path
    for (const block of state.tokens) {
      const open = []
      for (const token of block.children ?? []) {
        if (token.type === 'link_open') {
          const link = linkOf(token.attrGet('href'), file)
          open.push(link)
          if (link === null) {
            token.tag = 'span'
            token.attrs = []
            token.type = 'span_open'
          } else {
            token.attrSet('href', link)
            if (link.startsWith('/files/')) {
              token.attrSet('target', '_self')
            }
          }
        } else if (token.type === 'link_close' && open.pop() === null) {
          token.tag = 'span'
          token.type = 'span_close'
        }
      }
    }
  })
}
