import { z } from 'zod'
import { type LanguageModel, type ModelAnswer, type ModelFault, NOBODY_KNOWS } from '../contract.ts'
import { createModelClient, type ModelClientOptions } from '../http.ts'

export interface AnthropicOptions extends ModelClientOptions {
  /** Ends with the version, such as https://api.anthropic.com/v1. */
  url: string
  key: string | null
  model: string
}

const VERSION = '2023-06-01'
/** The model answers by calling its only tool. */
const ANSWER = 'answer'

const message = z.object({
  content: z.array(z.object({ type: z.string(), name: z.string().optional(), input: z.unknown().optional() })),
  usage: z.object({ input_tokens: z.number().nullish(), output_tokens: z.number().nullish() }).nullish(),
})

export function createAnthropicModel({
  url,
  key,
  model,
  ...options
}: AnthropicOptions): LanguageModel & { reasoningTokens: number; close(): Promise<void> } {
  const client = createModelClient(options)
  return {
    name: `anthropic ${model}`,
    reasoningTokens: 0,
    async complete({ instructions, input, schema, maxTokens }, signal) {
      const body = {
        model,
        max_tokens: maxTokens,
        system: instructions,
        messages: [{ role: 'user', content: JSON.stringify(input) }],
        tools: [{ name: ANSWER, description: 'Gives the answer.', input_schema: schema }],
        tool_choice: { type: 'tool', name: ANSWER },
      }
      const headers = { 'anthropic-version': VERSION, ...(key === null ? {} : { 'x-api-key': key }) }
      const answer = await client.post(`${url}/messages`, headers, body, signal)
      if ('fault' in answer) return answer
      return answerIn(answer.json)
    },
    close: () => client.close(),
  }
}

function answerIn(json: unknown): ModelAnswer | ModelFault {
  const read = message.safeParse(json)
  if (!read.success) return { fault: 'refused', message: 'the answer has not the expected form', usage: NOBODY_KNOWS }
  const call = read.data.content.find(({ type, name }) => type === 'tool_use' && name === ANSWER)
  const usage = { input: read.data.usage?.input_tokens ?? null, output: read.data.usage?.output_tokens ?? null }
  return call?.input === undefined
    ? { fault: 'refused', message: 'the model did not answer', usage }
    : { value: call.input, usage }
}
