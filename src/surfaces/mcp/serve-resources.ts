import { ResourceNotFoundError } from '@modelcontextprotocol/server'
import type { FastifyRequest } from 'fastify'
import { isRefusal } from '../../domain/refusal/refusal.ts'
import type { Caller, Operation } from '../../operations/definition.ts'
import { failureOf, type OperationHost, perform, type RequestAdmission } from '../../operations/invoke.ts'
import { listKeywordsOperation } from '../../operations/keywords/list-keywords.ts'
import { whoamiOperation } from '../../operations/service/whoami.ts'
import { answerTo } from '../http/envelope.ts'
import type { ResourceSource } from './protocol.ts'
import {
  errorTable,
  fencedResource,
  healthResource,
  LISTED_KEYWORDS,
  RESOURCE_TEMPLATES,
  RESOURCES,
  refusedResource,
  resourceAt,
} from './resources.ts'

export interface ResourceServing {
  host: OperationHost
  request: FastifyRequest
  /** Admits the credential of the request to an operation. */
  admit(operation: Operation): Promise<RequestAdmission>
}

/** Operations behind resources keep their scope, tenancy, limits and marks. */
export function resourcesFor(serving: ResourceServing): ResourceSource {
  const { request } = serving
  return {
    templates: RESOURCE_TEMPLATES,
    async list(signal) {
      const caller = request.admission?.caller ?? null
      if (caller === null) return [...RESOURCES]
      const query = { sort: 'recent', limit: LISTED_KEYWORDS }
      const answer = await answerOf(serving, { operation: listKeywordsOperation, caller, query, uri: '', signal })
      return [...RESOURCES, ...(answer as { data: { id: string; term: string }[] }).data.map(healthResource)]
    },
    async read(uri, signal) {
      const at = resourceAt(uri)
      const operation = at?.operation ?? whoamiOperation
      const { caller, refusal } = await serving.admit(operation)
      if (refusal !== null) throw refusedResource(uri, answerTo(refusal, request.id).body)
      if (at === undefined) throw new ResourceNotFoundError(uri)
      if (at === null) return errorTable(uri)
      request.countedAs = operation.id
      const answer = await answerOf(serving, { operation, caller, params: { id: at.id }, uri, signal })
      return fencedResource(uri, operation, answer)
    },
  }
}

interface Asked {
  operation: Operation
  caller: Caller | null
  params?: Record<string, unknown>
  query?: Record<string, unknown>
  uri: string
  signal: AbortSignal
}

/** Throws protocol errors of refusals. */
async function answerOf(
  { host, request }: ResourceServing,
  { operation, caller, params = {}, query = {}, uri, signal }: Asked,
): Promise<object> {
  const asked = { params, query, body: undefined, signal, forModel: true }
  const outcome = await perform(host, operation, caller, asked).catch((error: unknown) =>
    failureOf(error, host.log, { requestId: request.id, resource: operation.id }),
  )
  if (!isRefusal(outcome)) return outcome as object
  request.refusedWith = outcome.code
  throw refusedResource(uri, answerTo(outcome, request.id).body)
}
