import type { FastifyInstance } from 'fastify'
import { PublicKeys } from '../../commands/oauth/public-keys.ts'
import { mountPages } from '../auth/mount-pages.ts'
import { acceptFormBodies } from '../http/body.ts'
import { answerPrograms, servePreflights } from './answers.ts'
import { serveAuthorize } from './authorize.ts'
import { type OAuthContext, PATHS } from './context.ts'
import { createKeyRing } from './key-ring.ts'
import { serveMetadata } from './metadata.ts'
import { serveRegister } from './register.ts'
import { serveRevoke } from './revoke.ts'
import { serveToken } from './token.ts'

/** Code flow with PKCE, registration, refresh, revocation and metadata. Requires `knowBrowsers`. */
export function serveOAuth(server: FastifyInstance, parts: Omit<OAuthContext, 'findKeys' | 'publicKeys'>): void {
  const { services, log, fetchDocument } = parts
  const context = {
    ...parts,
    publicKeys: new PublicKeys(),
    findKeys: fetchDocument === null ? async () => null : createKeyRing(fetchDocument, services.clock),
  }
  mountPages(server, context, (pages) => serveAuthorize(pages, context))
  server.register(async (programs) => {
    answerPrograms(programs, log)
    serveMetadata(programs, context)
    serveRegister(programs, context)
    servePreflights(programs, [
      '/.well-known/oauth-protected-resource',
      '/.well-known/oauth-protected-resource/mcp',
      '/.well-known/oauth-authorization-server',
      PATHS.register,
      PATHS.token,
      PATHS.revoke,
    ])
    programs.register(async (forms) => {
      acceptFormBodies(forms, services.clock)
      serveToken(forms, context)
      serveRevoke(forms, context)
    })
  })
}
