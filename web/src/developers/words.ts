import { formatCount } from '../kit/count.tsx'
import { clientNames, clientSteps } from './client-words.ts'

export const words = {
  title: 'Developers',
  clients: 'Connect an AI client',
  clientsHint:
    'Almost every operation is also a tool. A client that signs in opens a page where you choose the workspace ' +
    'and what it may do.',
  client: 'Client',
  address: 'Address of the tool server (MCP)',
  allTools: 'All tools at once',
  allToolsHint: 'The short list leads to every tool. All of them take 140 kB of what a model can read.',
  clientNames,
  steps: clientSteps,
  withKey: 'With an API key',
  withKeyHint: 'Instead of signing in at the first call.',
  setup: (client: string) => `Set-up for ${client}`,
  remote:
    'This client runs at its vendor and cannot reach an address of your machine or network. Open Earshot at an ' +
    'address on the internet, which is its PUBLIC_URL.',
  clientGuide: 'What a connected program may do',
  makeKey: 'Create an API key',
  allClients: 'Set-ups of all clients',

  api: 'Call the API',
  apiHint: 'The dashboard uses this API only, so a program can do all that you do here.',
  firstRequest: 'A first request',
  openApi: 'OpenAPI document',
  reference: 'API reference',
  guide: 'Guide: call the API',
  version: (version: string) => `The service answers. API version ${version}.`,
  listen: 'Webhooks on your machine',
  listenHint: 'Forwards the deliveries of webhook channels to a local address, signed.',
  listenCommand: 'Command',

  limits: 'Limits left',
  requests: 'Requests in this minute',
  requestsLeft: (remaining: number, limit: number) => `${formatCount(remaining)} of ${formatCount(limit)} left for you`,
  requestsHint: 'People in browsers have a limit of their own. Keys and tokens of the workspace share another.',
  limitsGuide: 'All limits of requests',
  limitsCaption: 'What the workspace may have',
  limitColumns: { thing: 'Thing', used: 'Used', limit: 'Limit' },
  things: {
    keywords: 'Keywords',
    groups: 'Groups',
    views: 'Saved views',
    segments: 'Segments',
    channels: 'Channels',
    alerts: 'Rules',
    apiKeys: 'API keys',
    namedSources: 'Feeds and forums',
  },
  unknown: '–',

  tab: 'Requests of this tab',
  anywhere: 'This list opens on every page.',
} as const
