import { z } from 'zod'
import { type LanguageModel, NOBODY_KNOWS } from '../contract.ts'
import { createModelClient, jsonIn, type ModelClientOptions } from '../http.ts'

export interface OpenAiOptions extends ModelClientOptions {
  /** Ends with the version, such as https://api.openai.com/v1. */
  url: string
  /** Null for servers without authentication. */
  key: string | null
  model: string
}

/** Current OpenAI models accept only the first, most other servers only the second. */
type LimitName = 'max_completion_tokens' | 'max_tokens'
/** Reasoning counts as output. A short answer never needs this reserve. */
const REASONING_TOKENS = 4000

const completion = z.object({
  choices: z
    .array(z.object({ message: z.object({ content: z.string().nullish(), refusal: z.string().nullish() }) }))
    .min(1),
  usage: z.object({ prompt_tokens: z.number().nullish(), completion_tokens: z.number().nullish() }).nullish(),
})

export function createOpenAiModel({
  url,
  key,
  model,
  ...options
}: OpenAiOptions): LanguageModel & { reasoningTokens: number; close(): Promise<void> } {
  const client = createModelClient(options)
  let limitName: LimitName = /(^|\.)openai\.com$/.test(new URL(url).hostname) ? 'max_completion_tokens' : 'max_tokens'
  return {
    name: `openai ${model}`,
    reasoningTokens: REASONING_TOKENS,
    async complete({ instructions, input, schema, maxTokens }, signal) {
      const body = {
        model,
        messages: [
          { role: 'system', content: instructions },
          { role: 'user', content: JSON.stringify(input) },
        ],
        response_format: { type: 'json_schema', json_schema: { name: 'answer', strict: true, schema } },
      }
      const limited = (name: LimitName) => ({ ...body, [name]: maxTokens + REASONING_TOKENS })
      const sentName = limitName
      // The accepted name is cached, so that only the first request fails.
      const otherName = (complaint: string) => {
        if (!complaint.includes(sentName)) return null
        limitName = sentName === 'max_tokens' ? 'max_completion_tokens' : 'max_tokens'
        return limited(limitName)
      }
      const headers: Record<string, string> = key === null ? {} : { authorization: `Bearer ${key}` }
      const answer = await client.post(`${url}/chat/completions`, headers, limited(sentName), signal, otherName)
      if ('fault' in answer) return answer
      const read = completion.safeParse(answer.json)
      if (!read.success)
        return { fault: 'refused', message: 'the answer has not the expected form', usage: NOBODY_KNOWS }
      const content = read.data.choices[0]!.message.content
      const value = content ? jsonIn(content) : undefined
      const usage = {
        input: read.data.usage?.prompt_tokens ?? null,
        output: read.data.usage?.completion_tokens ?? null,
      }
      return value === undefined
        ? { fault: 'refused', message: 'the model did not answer in JSON', usage }
        : { value, usage }
    },
    close: () => client.close(),
  }
}
