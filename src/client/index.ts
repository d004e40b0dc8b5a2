/**
 * A typed client of Earshot for Node.js 20 and browsers, without dependencies. Guide: docs/guides/typed-client.md.
 *
 * @packageDocumentation
 */
export { type Call, type Client, createClient, type Operations, type Paged, type RawRequest } from './client.ts'
export type { ClientCode, ErrorCode } from './codes.ts'
export type { ApiKey, CallOptions, ClientOptions, Retry } from './connection.ts'
export { EarshotError, type Failure, type FieldProblem, isEarshotError } from './errors.ts'
export type { ChangeActor, WorkspaceChange } from './events.ts'
export type { StreamOptions, StreamState } from './stream.ts'
export type {
  AnswerOf,
  FailureOf,
  InputOf,
  ItemOf,
  OperationName,
  Outcome,
  PagedName,
  Schema,
} from './types.ts'
export {
  type SignedRequest,
  type VerifyOptions,
  verifyWebhook,
  type Webhook,
  type WebhookDigest,
  WebhookError,
  type WebhookErrorCode,
  type WebhookRule,
} from './webhook.ts'
