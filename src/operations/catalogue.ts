import { createAlertOperation } from './alerts/create-alert.ts'
import { deleteAlertOperation } from './alerts/delete-alert.ts'
import { getAlertOperation } from './alerts/get-alert.ts'
import { listAlertsOperation } from './alerts/list-alerts.ts'
import { testAlertOperation } from './alerts/test-alert.ts'
import { updateAlertOperation } from './alerts/update-alert.ts'
import { createApiKeyOperation } from './api-keys/create-api-key.ts'
import { listApiKeysOperation } from './api-keys/list-api-keys.ts'
import { revokeApiKeyOperation } from './api-keys/revoke-api-key.ts'
import { createTopUpOperation } from './billing/create-top-up.ts'
import { getInvoiceUrlOperation } from './billing/get-invoice-url.ts'
import { getWalletOperation } from './billing/get-wallet.ts'
import { listInvoicesOperation } from './billing/list-invoices.ts'
import { listLedgerOperation } from './billing/list-ledger.ts'
import { updateAutoRechargeOperation } from './billing/update-auto-recharge.ts'
import { createChannelOperation } from './channels/create-channel.ts'
import { deleteChannelOperation } from './channels/delete-channel.ts'
import { getChannelOperation } from './channels/get-channel.ts'
import { listChannelsOperation } from './channels/list-channels.ts'
import { rotateSecretOperation } from './channels/rotate-secret.ts'
import { testChannelOperation } from './channels/test-channel.ts'
import { updateChannelOperation } from './channels/update-channel.ts'
import type { Operation } from './definition.ts'
import { listDeliveriesOperation } from './deliveries/list-deliveries.ts'
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
import { inviteMemberOperation } from './members/invite-member.ts'
import { listInvitationsOperation } from './members/list-invitations.ts'
import { listMembersOperation } from './members/list-members.ts'
import { removeMemberOperation } from './members/remove-member.ts'
import { updateMemberOperation } from './members/update-member.ts'
import { withdrawInvitationOperation } from './members/withdraw-invitation.ts'
import { exportMentionsJsonOperation } from './mentions/export-mentions-json.ts'
import { getMentionOperation } from './mentions/get-mention.ts'
import { listMentionsOperation } from './mentions/list-mentions.ts'
import { searchPlatformsOperation } from './search/search-platforms.ts'
import { getHealthOperation } from './service/get-health.ts'
import { getOpenapiOperation } from './service/get-openapi.ts'
import { whoamiOperation } from './service/whoami.ts'
import { listSourcesOperation } from './sources/list-sources.ts'
import { getUsageOperation } from './usage/get-usage.ts'
import { getUsageBreakdownOperation } from './usage/get-usage-breakdown.ts'

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

  searchPlatformsOperation,
  listSourcesOperation,

  listMembersOperation,
  updateMemberOperation,
  removeMemberOperation,
  listInvitationsOperation,
  inviteMemberOperation,
  withdrawInvitationOperation,

  listChannelsOperation,
  createChannelOperation,
  getChannelOperation,
  updateChannelOperation,
  deleteChannelOperation,
  rotateSecretOperation,
  testChannelOperation,

  listAlertsOperation,
  createAlertOperation,
  getAlertOperation,
  updateAlertOperation,
  deleteAlertOperation,
  testAlertOperation,

  listDeliveriesOperation,

  getUsageOperation,
  getUsageBreakdownOperation,
  getWalletOperation,
  listLedgerOperation,
  createTopUpOperation,
  updateAutoRechargeOperation,
  listInvoicesOperation,
  getInvoiceUrlOperation,
]
