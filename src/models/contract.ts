/** One question to a language model, answered with one JSON object. */
export interface ModelRequest {
  /** The task for the model. Contains only our own text, never a third party's. */
  instructions: string
  /** The material as JSON. Texts of third parties stand only here, as data, whatever instructions they contain. */
  input: unknown
  /** The JSON Schema of the answer. */
  schema: Record<string, unknown>
  /** The longest answer, in tokens. */
  maxTokens: number
}

/** The answer of the model. The caller validates `value`, because a provider does not guarantee the schema. */
export interface ModelAnswer {
  value: unknown
  /** Tokens read and written; null where the provider does not say. */
  usage: { input: number | null; output: number | null }
}

/** Why there is no answer. `refused` is final: wrong key, unknown model or an answer that is not JSON. */
export interface ModelFault {
  fault: 'unavailable' | 'timeout' | 'rate_limited' | 'refused'
  /** One line for logs, without contents of the request. */
  message: string
  /** Tokens that were or may have been billed; absent if none were. */
  usage?: ModelAnswer['usage']
}

/** Usage of a request that a provider accepted without an answer: it may be billed. */
export const NOBODY_KNOWS: ModelAnswer['usage'] = { input: null, output: null }

export interface LanguageModel {
  /** Provider and model, for logs and reports. */
  readonly name: string
  /** Asks once, with a time limit and a few tries. Never throws because of the provider. */
  complete(request: ModelRequest, signal: AbortSignal): Promise<ModelAnswer | ModelFault>
}

export function isModelFault(answer: ModelAnswer | ModelFault): answer is ModelFault {
  return 'fault' in answer
}
