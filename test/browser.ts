import { JSDOM } from 'jsdom'
import type { World } from './world.ts'

/** A page as somebody sees it. */
export interface View {
  status: number
  headers: Headers
  /** The address that stands in the address bar. */
  address: string
  html: string
  // biome-ignore lint/suspicious/noExplicitAny: the document of a page, whose type the code does not have
  document: any
  /** The text of the page, white space made single. */
  text: string
  heading: string | null
  /** The last address of a redirect that leads away from the service, where this browser does not go; else null. */
  leftFor: string | null
}

/**
 * What somebody does with a browser: it keeps cookies, follows links and redirects, fills forms, and keeps to the rules
 * that protect people.
 */
export interface Browser {
  readonly view: View
  /** Cookies that the browser holds for the service, by name. */
  readonly cookies: ReadonlyMap<string, string>
  /** Types an address, which may be a path. */
  open(address: string): Promise<View>
  /** Follows the link with this name. */
  follow(text: string): Promise<View>
  /**
   * Presses the button with this name after filling fields of its form, each named by its label. Of a group of choices
   * the name is the legend, and the value is what the label of the choice begins with.
   */
  press(button: string, fields?: Readonly<Record<string, string>>): Promise<View>
  /**
   * Sends a form that no page may have shown, with the token of the page in view unless the fields hold one, and no
   * redirect followed.
   */
  post(
    address: string,
    fields: Readonly<Record<string, string>>,
    headers?: Readonly<Record<string, string>>,
  ): Promise<View>
  /**
   * Asks for something as a script of our own page would: with cookies, and with the token of the page in view for a
   * change.
   */
  fetch(path: string, init?: { method?: string; body?: unknown; headers?: Record<string, string> }): Promise<Response>
}

export interface BrowserOptions {
  /** The address that callers come from, as a proxy tells it that the service trusts. */
  from?: string
  /** The secret of a session that somebody has in this browser already. */
  session?: string
}

/** Opens a browser on a service. */
export function createBrowser(
  { origin, services }: Pick<World, 'origin' | 'services'>,
  { from, session }: BrowserOptions = {},
): Browser {
  const site = services.publicUrl
  const cookies = new Map<string, string>()
  if (session !== undefined) cookies.set(`${site.startsWith('https:') ? '__Host-' : ''}earshot_session`, session)
  let view: View | null = null
  const seen = (): View => {
    if (view === null) throw new Error('no page was opened yet')
    return view
  }

  async function ask(
    address: string,
    init: { method?: string; body?: string; headers?: Record<string, string> } = {},
  ): Promise<Response> {
    const { pathname, search } = new URL(address, site)
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const reply = await fetch(origin + pathname + search, {
      ...init,
      headers: {
        ...(cookie === '' ? {} : { cookie }),
        ...(from === undefined ? {} : { 'x-forwarded-for': from }),
        ...init.headers,
      },
      redirect: 'manual',
    })
    for (const line of reply.headers.getSetCookie()) keep(cookies, line, site)
    return reply
  }

  /** Follows redirects as long as they stay, and shows where they end. */
  async function show(
    address: string,
    reply: Response,
    mayLeadTo: (target: string) => boolean = () => true,
  ): Promise<View> {
    let at = new URL(address, site).href
    let answer = reply
    for (let steps = 0; ; steps += 1) {
      const location = answer.headers.get('location')
      if (location === null || answer.status < 300 || answer.status >= 400) break
      if (steps === 20) throw new Error(`redirects go round in a circle: ${at}`)
      const target = new URL(location, at).href
      if (!mayLeadTo(target)) throw new Error(`the content policy of the page forbids that its form leads to ${target}`)
      if (new URL(target).origin !== new URL(site).origin) {
        view = await viewOf(at, answer, target)
        return view
      }
      await answer.arrayBuffer()
      at = target
      answer = await ask(at, { headers: { 'sec-fetch-site': 'same-origin' } })
    }
    view = await viewOf(at, answer, null)
    return view
  }

  return {
    get view() {
      return seen()
    },
    cookies,
    async open(address) {
      return show(address, await ask(address, { headers: { 'sec-fetch-site': 'none' } }))
    },
    async follow(text) {
      const link = [...seen().document.querySelectorAll('a[href]')].find((item) => nameOf(item) === text)
      if (link === undefined) throw new Error(`no link says ${JSON.stringify(text)}: ${seen().text}`)
      return show(link.href, await ask(link.href, { headers: { 'sec-fetch-site': 'same-origin' } }))
    },
    async press(button, fields = {}) {
      const { document, headers } = seen()
      const pressed = [...document.querySelectorAll('form button')].find((item) => nameOf(item) === button)
      if (pressed === undefined) throw new Error(`no button says ${JSON.stringify(button)}: ${seen().text}`)
      const { form } = pressed
      for (const [label, value] of Object.entries(fields)) fill(form, label, value)
      const mayLeadTo = formRule(headers, site)
      if (!mayLeadTo(form.action)) throw new Error(`the content policy of the page forbids a form to ${form.action}`)
      const body = bodyOf(form, pressed)
      const sent = {
        'content-type': 'application/x-www-form-urlencoded',
        origin: site,
        'sec-fetch-site': 'same-origin',
      }
      return show(form.action, await ask(form.action, { method: 'POST', body, headers: sent }), mayLeadTo)
    },
    async post(address, fields, headers = {}) {
      const token = view?.document.querySelector('input[name=form_token]')?.value as string | undefined
      const body = new URLSearchParams({ ...(token === undefined ? {} : { form_token: token }), ...fields }).toString()
      const sent = {
        'content-type': 'application/x-www-form-urlencoded',
        origin: site,
        'sec-fetch-site': 'same-origin',
        ...headers,
      }
      return viewOf(new URL(address, site).href, await ask(address, { method: 'POST', body, headers: sent }), null)
    },
    async fetch(path, { method = 'GET', body, headers = {} } = {}) {
      const token = view?.document.querySelector('input[name=form_token]')?.value as string | undefined
      const changes = method !== 'GET' && method !== 'HEAD'
      return ask(path, {
        method,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        headers: {
          'sec-fetch-site': 'same-origin',
          ...(changes ? { origin: site } : {}),
          ...(changes && token !== undefined ? { 'x-csrf-token': token } : {}),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
      })
    },
  }
}

async function viewOf(address: string, reply: Response, leftFor: string | null): Promise<View> {
  const html = await reply.text()
  const { document } = new JSDOM(html, { url: address }).window
  const heading = document.querySelector('h1')
  return {
    status: reply.status,
    headers: reply.headers,
    address,
    html,
    document,
    text: document.body === null ? '' : wordsOf(document.body),
    heading: heading === null ? null : wordsOf(heading),
    leftFor,
  }
}

function wordsOf(element: { textContent: string | null }): string {
  return (element.textContent ?? '').replace(/\s+/g, ' ').trim()
}

function nameOf(element: { getAttribute(name: string): string | null; textContent: string | null }): string {
  return element.getAttribute('aria-label') ?? wordsOf(element)
}

// biome-ignore lint/suspicious/noExplicitAny: elements of a page, whose types the code does not have
type Element = any

function fill(form: Element, label: string, value: string): void {
  const own = [...form.querySelectorAll('label')].find((item: Element) => wordsOf(item) === label)
  if (own !== undefined) {
    if (own.control.type === 'checkbox') own.control.checked = value !== ''
    else own.control.value = value
    return
  }
  const group = [...form.querySelectorAll('fieldset')].find(
    (item: Element) => wordsOf(item.querySelector('legend')) === label,
  )
  const choice = group && [...group.querySelectorAll('label')].find((item: Element) => wordsOf(item).startsWith(value))
  if (choice === undefined)
    throw new Error(`no field is labelled ${JSON.stringify(label)} (${value}): ${wordsOf(form)}`)
  choice.control.checked = true
}

/** What a browser sends of a form: fields that have a name, and of choices those that are made. */
function bodyOf(form: Element, pressed: Element): string {
  const body = new URLSearchParams()
  for (const { name, type, value, checked, disabled } of form.querySelectorAll('input, select')) {
    if (name !== '' && !disabled && (!['radio', 'checkbox'].includes(type) || checked)) body.append(name, value)
  }
  if (pressed.name !== '') body.append(pressed.name, pressed.value)
  return body.toString()
}

/** Whether a form, or the redirect that answers it, may lead to an address by the content policy of its page. */
function formRule(headers: Headers, site: string): (target: string) => boolean {
  const sources = /form-action ([^;]*)/
    .exec(headers.get('content-security-policy') ?? '')?.[1]
    ?.trim()
    .split(/ +/)
  return (target) => {
    const { origin, protocol } = new URL(target)
    return (
      sources === undefined ||
      sources.some((source) =>
        source === "'self'" ? origin === new URL(site).origin : source === origin || source === protocol,
      )
    )
  }
}

/**
 * Keeps a cookie as browsers do, and refuses what browsers would not keep. Times are not looked at but for the end of a
 * cookie.
 */
function keep(cookies: Map<string, string>, line: string, site: string): void {
  const [pair, ...attributes] = line.split(';').map((part) => part.trim())
  const at = pair!.indexOf('=')
  const [name, value] = [pair!.slice(0, at), pair!.slice(at + 1)]
  const isSecure = attributes.includes('Secure')
  if (isSecure && !site.startsWith('https:'))
    throw new Error(`a browser drops the cookie ${name}: it is for https only`)
  if (
    name.startsWith('__Host-') &&
    (!isSecure || !attributes.includes('Path=/') || attributes.some((attribute) => attribute.startsWith('Domain')))
  )
    throw new Error(`a browser drops the cookie ${name}: its name promises more than its attributes`)
  if (line.length > 4096) throw new Error(`a browser drops the cookie ${name}: it is too large`)
  if (attributes.includes('Max-Age=0')) cookies.delete(name)
  else cookies.set(name, value)
}
