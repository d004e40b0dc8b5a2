import { JSDOM } from 'jsdom'

/**
 * Steps from a page to the next that a browser takes before it gives up: enough for any sign-in, and an end to a
 * circle.
 */
const MOST_STEPS = 20
const STEP_LIMIT_MS = 15_000

/** The person who signs in. */
export const PERSON = { email: 'referee@people.example', name: 'Rita Referee', password: 'a whistle, two cards' }

/**
 * What a person with a browser does who was sent to an address of the service to allow something: makes an account
 * where it is invited, signs in where that is asked, allows what is asked, and is led back. Answers the last page as `{
 * url, status, text }`. Cookies are kept for the service alone, which is on one origin.
 */
export function createBrowser(origin) {
  const cookies = new Map()

  async function load(url, options = {}) {
    const own = new URL(url).origin === origin
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const headers = { ...options.headers, ...(own && cookie !== '' ? { cookie } : {}) }
    const reply = await fetch(url, {
      ...options,
      headers,
      redirect: 'manual',
      signal: AbortSignal.timeout(STEP_LIMIT_MS),
    })
    for (const line of own ? reply.headers.getSetCookie() : []) {
      const [, name, value] = line.match(/^([^=]+)=([^;]*)/)
      if (/;\s*max-age=0\b/i.test(line)) cookies.delete(name)
      else cookies.set(name, value)
    }
    return { url, status: reply.status, location: reply.headers.get('location'), text: await reply.text() }
  }

  /** Goes to an address, and on from page to page until none is ours or asks for anything that `answer` knows. */
  async function follow(url, answer) {
    let page = await load(url)
    for (let step = 0; step < MOST_STEPS; step += 1) {
      if (page.location !== null) page = await load(new URL(page.location, page.url).href)
      else {
        const next =
          new URL(page.url).origin === origin ? answer(new JSDOM(page.text, { url: page.url }).window, page) : null
        if (next === null) return page
        page = await load(next.url, next.options)
      }
    }
    throw new Error(`the pages lead in a circle: ${page.url}`)
  }

  return {
    /** Makes an account behind the link of an invitation. */
    async signUp(link) {
      const page = await follow(link, (window, { url }) =>
        url === link ? filledIn(window, /^create an account/i) : null,
      )
      if (page.status !== 200 || new URL(page.url).pathname !== '/inbox')
        throw new Error(`the sign-up ended at ${told(page)}`)
    },
    /** Follows an address of the authorization endpoint until the answer has reached the client. */
    async allow(url) {
      const page = await follow(url, (window) => filledIn(window, /^(allow|sign in)$/i))
      if (new URL(page.url).origin === origin) throw new Error(`the person ended at ${told(page)}`)
      return page
    },
  }
}

/** The first form with a button of this kind, filled in as the person does; null when the page has none. */
function filledIn({ document, FormData }, wanted) {
  const buttons = [...document.querySelectorAll('form[method=post] button')]
  const button = buttons.find(
    (one) => wanted.test(one.textContent.trim()) && !/not allow|sign out|send|google|github/i.test(one.textContent),
  )
  if (button === undefined) return null
  const { form } = button
  for (const field of form.querySelectorAll('input:not([type=hidden]):not([readonly])')) {
    if (field.type === 'radio') field.checked ||= form.querySelector(`input[name="${field.name}"]:checked`) === null
    else if (field.type === 'email') field.value = PERSON.email
    else if (field.type === 'password') field.value = PERSON.password
    else if (field.type === 'text') field.value = PERSON.name
  }
  const body = new URLSearchParams(new FormData(form))
  if (button.name !== '') body.set(button.name, button.value)
  const headers = { origin: new URL(form.action).origin, 'sec-fetch-site': 'same-origin' }
  return { url: form.action, options: { method: 'POST', headers, body } }
}

function told({ url, status, text }) {
  const { document } = new JSDOM(text).window
  return `${url} with ${status}: ${(document.querySelector('main') ?? document.body).textContent.replace(/\s+/g, ' ').trim().slice(0, 600)}`
}
