import { createReadStream } from 'node:fs'
import type { FastifyInstance } from 'fastify'
import { COMMAND } from '../../kernel/checkout.ts'
import { html } from '../../kernel/markup.ts'
import { renderPage } from '../auth/page.ts'

const LANDING = renderPage({
  title: 'Earshot is running',
  body: html`<p>This server listens to social and developer platforms for the terms that its workspaces watch,
  scores what it finds and passes it on.</p>
<div class="actions">
<a class="button" href="/sign-in">Sign in</a>
</div>
<p>Programs use it through its interface, with an API key that the operator makes with <code>${COMMAND}
keys create</code>.</p>
<nav aria-label="Documentation">
<ul class="places">
<li><a href="/guide">Guide</a></li>
<li><a href="/docs/">Reference of the interface</a></li>
<li><a href="/v1/openapi.json">OpenAPI description</a></li>
<li><a href="/v1/health">State of the service</a></li>
</ul>
</nav>`,
})

/**
 * The reference runs a large third-party script. The sandbox gives it an opaque origin without our cookies and storage,
 * and it may connect only to this server.
 */
const DOCS_POLICY =
  "sandbox allow-scripts allow-popups allow-popups-to-escape-sandbox allow-downloads; default-src 'none'; " +
  "script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self' data:; " +
  "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const DOCS_TITLE = 'Earshot API reference'

/** Disables the maker's assistant, proxy, fonts and telemetry, which call external services. */
const REFERENCE = {
  url: '/v1/openapi.json',
  pageTitle: DOCS_TITLE,
  agent: { disabled: true },
  proxyUrl: '',
  telemetry: false,
  withDefaultFonts: false,
  // These lead to an external service.
  showDeveloperTools: 'never',
  hideClientButton: true,
} as const

/**
 * The browser's part of the package, megabytes that are read when a browser asks. Its part for servers writes a page
 * with inline code, which the policy forbids.
 */
const SCALAR = new URL('js/standalone.js', import.meta.resolve('@scalar/fastify-api-reference'))
const SCRIPT = 'application/javascript; charset=utf-8'

const DOCS_PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${DOCS_TITLE}</title>
</head>
<body>
<div id="app"></div>
<script src="js/storage.js"></script>
<script src="js/scalar.js"></script>
<script src="js/begin.js"></script>
</body>
</html>
`

/** Accessing storage throws in a sandbox, so the page gets a temporary one. */
const STORAGE = `for (const name of ['localStorage', 'sessionStorage']) {
  const kept = new Map()
  const storage = {
    getItem: (key) => kept.get(String(key)) ?? null,
    setItem: (key, value) => void kept.set(String(key), String(value)),
    removeItem: (key) => void kept.delete(String(key)),
    clear: () => kept.clear(),
    key: (at) => [...kept.keys()][at] ?? null,
    get length() { return kept.size },
  }
  Object.defineProperty(window, name, { value: storage })
}
`

const BEGIN = `Scalar.createApiReference('#app', ${JSON.stringify(REFERENCE)})\n`

/** The landing page stands in for a dashboard. */
export function servePages(server: FastifyInstance, { hasLanding }: { hasLanding: boolean }): void {
  if (hasLanding) server.get('/', async (_request, reply) => reply.headers(LANDING.headers).send(LANDING.html))
  server.register(async (docs) => {
    docs.addHook('onRequest', async (_request, reply) => {
      // Browsers do not show a sandboxed page with an opener policy.
      reply.removeHeader('Cross-Origin-Opener-Policy').header('Content-Security-Policy', DOCS_POLICY)
    })
    docs.get('/docs', async (_request, reply) => reply.redirect('/docs/', 301))
    docs.get('/docs/', async (_request, reply) => reply.type('text/html; charset=utf-8').send(DOCS_PAGE))
    for (const [name, code] of Object.entries({ storage: STORAGE, begin: BEGIN }))
      docs.get(`/docs/js/${name}.js`, async (_request, reply) => reply.type(SCRIPT).send(code))
    docs.get('/docs/js/scalar.js', async (_request, reply) => reply.type(SCRIPT).send(createReadStream(SCALAR)))
  })
}
