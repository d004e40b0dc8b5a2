/**
 * The tools that matter most, for clients that are better off with few: who am I, watch terms, read what was found,
 * look before watching, and have it sent.
 */
export const CORE_TOOLS: ReadonlySet<string> = new Set([
  'get_identity',
  'list_keywords',
  'get_keyword',
  'create_keyword',
  'update_keyword',
  'delete_keyword',
  'list_groups',
  'create_group',
  'search_mentions',
  'get_mention',
  'search_platforms',
  'list_sources',
  'list_channels',
  'create_channel',
  'test_channel',
  'list_alerts',
  'create_alert',
  'update_alert',
  'list_deliveries',
  'get_usage',
])
