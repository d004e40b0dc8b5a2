/** One question to a language model, which answers with one JSON object. */
export interface ModelRequest {
  /** What the model is to do. Written by us, never by a third party. */
  instructions: string
  /**
   * What it is to do it with, as JSON. Texts of third parties stand here and nowhere else: data, whatever they say
   * about being instructions.
   */
  input: unknown
  /** The JSON Schema of the answer; the adapter asks for it in the provider's own way. */
  schema: Record<string, unknown>
  /** The longest answer, in tokens. */
  maxTokens: number
}

/** What the model said. Whoever asked validates it: a provider's promise of a schema is no proof. */
export interface ModelAnswer {
  value: unknown
  /** Tokens that were read and written, as far as the provider says; null where it does not. */
  usage: { input: number | null; output: number | null }
}

/**
 * Why there is no answer. `refused` means that asking again brings nothing: wrong key, unknown model, an answer that is
 * no JSON.
 */
export interface ModelFault {
  fault: 'unavailable' | 'timeout' | 'rate_limited' | 'refused'
  /** One line for logs, without the request's contents. */
  message: string
  /** What was used up, or may have been, all the same; absent where nothing was. */
  usage?: ModelAnswer['usage']
}

/** A provider that has taken a question may bill it, whatever becomes of the answer. */
export const NOBODY_KNOWS: ModelAnswer['usage'] = { input: null, output: null }

/** A language model behind some provider's interface. */
export interface LanguageModel {
  /** Provider and model, as logs and reports name it. */
  readonly name: string
  /** Asks once, with the adapter's own time limit and its few tries; never throws for what a provider does. */
  complete(request: ModelRequest, signal: AbortSignal): Promise<ModelAnswer | ModelFault>
}

export function isModelFault(answer: ModelAnswer | ModelFault): answer is ModelFault {
  return 'fault' in answer
}
