import { defineConfig } from 'vitepress'
import { withMermaid } from 'vitepress-plugin-mermaid'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { repositoryLinks, root, routes } from './links.js'

const { resolve } = createRequire(import.meta.url)
const version = /<version>(.+?)<\/version>/.exec(readFileSync(`${root}/pom.xml`, 'utf8'))[1]
const pages = (...names) => names.map(([text, name]) => ({ text, link: `/guide/${name}` }))

export default withMermaid(defineConfig({
  title: 'reactive-informer',
  description: 'Kubernetes informers for Project Reactor',
  base: process.env.SITE_BASE ?? '/',
  srcDir: root,
  srcExclude: ['**/node_modules/**', '**/target/**', '.*/**'],
  rewrites: routes,
  outDir: 'target/site',
  cacheDir: 'target/cache',
  cleanUrls: false, // so that the site works from any file server
  lastUpdated: false,
  markdown: { html: false, config: md => md.use(repositoryLinks) },
  vite: {
    publicDir: new URL('../public', import.meta.url).pathname,
    resolve: { // the pages are outside of this directory, and with it of its node_modules
      alias: [
        { find: /^vue$/, replacement: resolve('vue/dist/vue.runtime.esm-bundler.js') },
        { find: /^vue\/server-renderer$/, replacement: resolve('vue/server-renderer') }
      ]
    }
  },
  mermaid: { theme: 'neutral' },
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    nav: [
      { text: 'Guide', link: '/guide/tour', activeMatch: '^/guide/' },
      { text: 'Figures', link: '/benchmarks/', activeMatch: '^/benchmarks/' },
      ...process.env.API ? [{ text: 'API', link: '/api/index.html', target: '_self' }] : [],
      { text: version, items: [{ text: 'Changes', link: '/changes' }, { text: 'Other versions', link: '/versions' }] }
    ],
    sidebar: [
      {
        text: 'Informers',
        items: pages(['Tour', 'tour'], ['The informer', 'informer'], ['Projections and transforms', 'projections'], ['Connecting', 'connecting'],
          ['When things break', 'recovery'], ['Outages you will not have', 'outages'], ['Starting warm', 'warm-start'],
          ['The parts by themselves', 'parts'], ['Coming from other clients', 'coming-from'], ['Reference', 'reference'],
          ['Words', 'glossary'])
      },
      {
        text: 'Controllers',
        items: pages(['Your first operator', 'first-operator'], ['Definitions of custom types', 'definitions'],
          ['Controllers', 'controllers'],
          ['Two operators of the Java Operator SDK', 'josdk-samples'], ['Events', 'events'],
          ['Leadership', 'leadership'], ['Sharding', 'sharding'])
      },
      { text: 'Spring Boot', items: pages(['Spring Boot', 'spring'], ['Spring Cloud', 'spring-cloud'], ['A gateway', 'gateway'], ['Operating', 'operating'],
        ['Scale and cost', 'scale'], ['Other processes, with Kafka', 'kafka']) },
      { text: 'Testing', items: pages(['Testing your code', 'testing'], ['Testing a Boot application', 'testing-boot'], ['Testing code of other clients', 'testing-other-clients'],
        ['What the fake refuses', 'what-the-fake-refuses']) },
      {
        text: 'The project',
        items: [
          { text: 'Command line', link: '/demo/' },
          { text: 'Figures', link: '/benchmarks/results' },
          { text: 'Architecture', link: '/architecture' },
          { text: 'Decisions', link: '/decisions/' },
          { text: 'Contributing', link: '/contributing' },
          { text: 'Changes', link: '/changes' }
        ]
      }
    ]
  }
}))
