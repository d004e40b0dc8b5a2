import {
  ProtocolError,
  type ReadResourceResult,
  type Resource,
  ResourceNotFoundError,
  type ResourceTemplateType,
} from '@modelcontextprotocol/server'
import { ERROR_CODES } from '../../domain/refusal/error-codes.ts'
import type { Operation } from '../../operations/definition.ts'
import { getKeywordHealthOperation } from '../../operations/keywords/get-keyword-health.ts'
import { getMentionOperation } from '../../operations/mentions/get-mention.ts'
import type { ErrorEnvelope } from '../http/envelope.ts'
import { textForRefusal, textForResource } from './text.ts'

const ERRORS = 'earshot://errors'

/** Most keywords whose health is listed; those with the most matches of the last seven days come first. */
export const LISTED_KEYWORDS = 100

export const RESOURCES: readonly Resource[] = [
  {
    uri: ERRORS,
    name: 'errors',
    title: 'Error codes',
    description: 'Every error code with its status, its meaning, and whether a repeat can help.',
    mimeType: 'text/markdown',
  },
]

interface Kind {
  template: ResourceTemplateType
  pattern: RegExp
  operation: Operation
}

const KINDS: readonly Kind[] = [
  {
    template: {
      uriTemplate: 'earshot://mentions/{id}',
      name: 'mention',
      title: 'Mention',
      description: 'A mention (mtn_...) with its post, author, score and triage.',
      mimeType: 'text/plain',
    },
    pattern: /^earshot:\/\/mentions\/(mtn_\w{1,60})$/,
    operation: getMentionOperation,
  },
  {
    template: {
      uriTemplate: 'earshot://keywords/{id}/health',
      name: 'keyword-health',
      title: 'Health of a keyword',
      description: 'Relevant share, sources of noise, cost and suggestions of a keyword (kw_...) for 30 days.',
      mimeType: 'text/plain',
    },
    pattern: /^earshot:\/\/keywords\/(kw_\w{1,60})\/health$/,
    operation: getKeywordHealthOperation,
  },
]

export const RESOURCE_TEMPLATES: readonly ResourceTemplateType[] = KINDS.map(({ template }) => template)

/** The operation behind an address, or null for a page that is the same for everybody. Undefined for no resource. */
export function resourceAt(uri: string): { operation: Operation; id: string } | null | undefined {
  if (uri === ERRORS) return null
  for (const { pattern, operation } of KINDS) {
    const id = pattern.exec(uri)?.[1]
    if (id !== undefined) return { operation, id }
  }
  return undefined
}

export function healthResource({ id, term }: { id: string; term: string }): Resource {
  return {
    uri: `earshot://keywords/${id}/health`,
    name: `${id}-health`,
    title: `Health of “${term}”`,
    mimeType: 'text/plain',
  }
}

export function errorTable(uri: string): ReadResourceResult {
  const rows = Object.entries(ERROR_CODES).map(
    ([code, { statuses, meaning, ...more }]) =>
      `| ${code} | ${statuses.join(', ')} | ${meaning} | ${'retryable' in more ? 'yes' : 'no'} |`,
  )
  const text = ['| Code | Status | Meaning | Worth retrying unchanged |', '| --- | --- | --- | --- |', ...rows].join(
    '\n',
  )
  return { contents: [{ uri, mimeType: 'text/markdown', text }] }
}

/** Texts of strangers stand between marks, as in results of tools. */
export function fencedResource(uri: string, operation: Operation, answer: object): ReadResourceResult {
  return { contents: [{ uri, mimeType: 'text/plain', text: textForResource(operation.summary, answer) }] }
}

/** Our own error code, outside the protocol's reserved range. */
const REFUSED = -31_400

export function refusedResource(uri: string, { error }: ErrorEnvelope): ProtocolError {
  return error.code === 'not_found'
    ? new ResourceNotFoundError(uri, error.message)
    : new ProtocolError(REFUSED, textForRefusal(error), { uri, ...error })
}
