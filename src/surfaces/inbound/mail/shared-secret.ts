import { isSame } from './provider.ts'

/** The secret is a bearer token, or the password of HTTP Basic with any user name. */
export function isSignedIn(authorization: string | undefined, secret: string): boolean {
  const [, scheme = '', value = ''] = /^(bearer|basic) +(\S+) *$/i.exec(authorization ?? '') ?? []
  return isSame(scheme.toLowerCase() === 'basic' ? passwordIn(value) : value, secret)
}

function passwordIn(basic: string): string {
  const pair = Buffer.from(basic, 'base64').toString('utf8')
  return pair.slice(pair.indexOf(':') + 1)
}
