import { z } from 'zod'

export const access = z.object({
  access_token: z.string().min(1).max(500),
  token_type: z.literal('bot'),
  scope: z.string(),
  /** Null for an organization install. */
  team: z.object({ id: z.string().min(1).max(100), name: z.string() }).nullable(),
  is_enterprise_install: z.boolean().optional(),
  /** Only if tokens expire. */
  refresh_token: z.string().optional(),
})

export const conversations = z.object({
  channels: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      is_private: z.boolean().optional(),
      is_archived: z.boolean().optional(),
    }),
  ),
  response_metadata: z.object({ next_cursor: z.string().optional() }).optional(),
})

export const blockActions = z.object({
  type: z.literal('block_actions'),
  team: z.object({ id: z.string() }),
  user: z.object({
    id: z.string(),
    team_id: z.string().optional(),
    username: z.string().optional(),
    name: z.string().optional(),
  }),
  response_url: z.string().optional(),
  message: z.object({ blocks: z.array(z.looseObject({})).optional() }).optional(),
  actions: z.array(z.object({ action_id: z.string(), value: z.string().optional() })),
})

export const anyEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('url_verification'), challenge: z.string().max(1000) }),
  z.object({
    type: z.literal('event_callback'),
    team_id: z.string(),
    /** In seconds. */
    event_time: z.number(),
    event: z.object({ type: z.string(), tokens: z.object({ bot: z.array(z.string()).optional() }).optional() }),
  }),
])
