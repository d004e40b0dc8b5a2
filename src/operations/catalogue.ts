import { createApiKeyOperation } from './api-keys/create-api-key.ts'
import { listApiKeysOperation } from './api-keys/list-api-keys.ts'
import { revokeApiKeyOperation } from './api-keys/revoke-api-key.ts'
import type { Operation } from './definition.ts'
import { createGroupOperation } from './groups/create-group.ts'
import { deleteGroupOperation } from './groups/delete-group.ts'
import { getGroupOperation } from './groups/get-group.ts'
import { listGroupsOperation } from './groups/list-groups.ts'
import { updateGroupOperation } from './groups/update-group.ts'
import { createKeywordOperation } from './keywords/create-keyword.ts'
import { deleteKeywordOperation } from './keywords/delete-keyword.ts'
import { getKeywordOperation } from './keywords/get-keyword.ts'
import { listKeywordsOperation } from './keywords/list-keywords.ts'
import { updateKeywordOperation } from './keywords/update-keyword.ts'
import { exportMentionsJsonOperation } from './mentions/export-mentions-json.ts'
import { getMentionOperation } from './mentions/get-mention.ts'
import { listMentionsOperation } from './mentions/list-mentions.ts'
import { getHealthOperation } from './service/get-health.ts'
import { getOpenapiOperation } from './service/get-openapi.ts'
import { whoamiOperation } from './service/whoami.ts'

/** Every operation, in the order in which the documents show them within their chapter. */
export const CATALOGUE: readonly Operation[] = [
  getHealthOperation,
  getOpenapiOperation,
  whoamiOperation,

  listApiKeysOperation,
  createApiKeyOperation,
  revokeApiKeyOperation,

  listGroupsOperation,
  createGroupOperation,
  getGroupOperation,
  updateGroupOperation,
  deleteGroupOperation,

  listKeywordsOperation,
  createKeywordOperation,
  getKeywordOperation,
  updateKeywordOperation,
  deleteKeywordOperation,

  listMentionsOperation,
  exportMentionsJsonOperation,
  getMentionOperation,
]
