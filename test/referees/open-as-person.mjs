import { appendFileSync } from 'node:fs'
import { createBrowser } from './browser.mjs'

// Stands in for the browser that a client opens: `open-as-person.mjs ORIGIN LOG URL`. Nobody sees what it writes, so it
// tells a file how it went.
const [origin, log, url] = process.argv.slice(2)
try {
  const page = await createBrowser(origin).allow(url)
  appendFileSync(log, `the person was led to ${new URL(page.url).origin} and saw ${page.status}\n`)
} catch (error) {
  appendFileSync(log, `${error.stack}\n`)
  process.exitCode = 1
}
