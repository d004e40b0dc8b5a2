import { type OAuthRefusal, refuseOAuth } from '../../domain/oauth/refusal.ts'

/** Omits parameters without value (RFC 6749, section 3.2). */
export function parametersOf(body: unknown): URLSearchParams | OAuthRefusal {
  const given = body instanceof URLSearchParams ? [...body].filter(([, value]) => value !== '') : []
  const names = given.map(([name]) => name)
  // RFC 8707 allows several `resource` parameters.
  const twice = names.some((name, at) => name !== 'resource' && names.indexOf(name) !== at)
  return twice ? refuseOAuth('invalid_request', 'A parameter is given twice.') : new URLSearchParams(given)
}
