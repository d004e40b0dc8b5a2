import { createAlertOperation } from './alerts/create-alert.ts'
import { deleteAlertOperation } from './alerts/delete-alert.ts'
import { getAlertOperation } from './alerts/get-alert.ts'
import { listAlertsOperation } from './alerts/list-alerts.ts'
import { muteAlertAuthorsOperation } from './alerts/mute-alert-authors.ts'
import { previewAlertOperation } from './alerts/preview-alert.ts'
import { runAlertOperation } from './alerts/run-alert.ts'
import { testAlertOperation } from './alerts/test-alert.ts'
import { unmuteAlertAuthorsOperation } from './alerts/unmute-alert-authors.ts'
import { updateAlertOperation } from './alerts/update-alert.ts'
import { getAnalyticsBreakdownOperation } from './analytics/get-analytics-breakdown.ts'
import { getAnalyticsSeriesOperation } from './analytics/get-analytics-series.ts'
import { getAnalyticsSummaryOperation } from './analytics/get-analytics-summary.ts'
import { getReviewAnalyticsOperation } from './analytics/get-review-analytics.ts'
import { getShareOfVoiceOperation } from './analytics/get-share-of-voice.ts'
import { createApiKeyOperation } from './api-keys/create-api-key.ts'
import { listApiKeysOperation } from './api-keys/list-api-keys.ts'
import { revokeApiKeyOperation } from './api-keys/revoke-api-key.ts'
import { dismissAttentionOperation } from './attention/dismiss-attention.ts'
import { dismissAttentionItemsOperation } from './attention/dismiss-attention-items.ts'
import { getAttentionOperation } from './attention/get-attention.ts'
import { listAttentionOperation } from './attention/list-attention.ts'
import { listAuditOperation } from './audit/list-audit.ts'
import { createTopUpOperation } from './billing/create-top-up.ts'
import { getInvoiceUrlOperation } from './billing/get-invoice-url.ts'
import { getWalletOperation } from './billing/get-wallet.ts'
import { listInvoicesOperation } from './billing/list-invoices.ts'
import { listLedgerOperation } from './billing/list-ledger.ts'
import { updateAutoRechargeOperation } from './billing/update-auto-recharge.ts'
import { createChannelOperation } from './channels/create-channel.ts'
import { deleteChannelOperation } from './channels/delete-channel.ts'
import { getChannelOperation } from './channels/get-channel.ts'
import { getPresetsOperation } from './channels/get-presets.ts'
import { listChannelsOperation } from './channels/list-channels.ts'
import { rotateSecretOperation } from './channels/rotate-secret.ts'
import { setPresetsOperation } from './channels/set-presets.ts'
import { testChannelOperation } from './channels/test-channel.ts'
import { updateChannelOperation } from './channels/update-channel.ts'
import { getCompanyOperation } from './company/get-company.ts'
import { updateCompanyOperation } from './company/update-company.ts'
import type { Operation } from './definition.ts'
import { getDeliveryOperation } from './deliveries/get-delivery.ts'
import { listDeliveriesOperation } from './deliveries/list-deliveries.ts'
import { replayDeliveryOperation } from './deliveries/replay-delivery.ts'
import { retryDeliveryOperation } from './deliveries/retry-delivery.ts'
import { searchDeliveriesOperation } from './deliveries/search-deliveries.ts'
import { createConfirmationOperation } from './email/create-confirmation.ts'
import { listSuppressionsOperation } from './email/list-suppressions.ts'
import { removeSuppressionOperation } from './email/remove-suppression.ts'
import { streamEventsOperation } from './events/stream-events.ts'
import { changeFilterEntriesOperation } from './filters/change-filter-entries.ts'
import { getFiltersOperation } from './filters/get-filters.ts'
import { updateFiltersOperation } from './filters/update-filters.ts'
import { createGroupOperation } from './groups/create-group.ts'
import { deleteGroupOperation } from './groups/delete-group.ts'
import { getGroupOperation } from './groups/get-group.ts'
import { listGroupsOperation } from './groups/list-groups.ts'
import { updateGroupOperation } from './groups/update-group.ts'
import { createInspectionOperation } from './inspections/create-inspection.ts'
import { getInspectionOperation } from './inspections/get-inspection.ts'
import { createKeywordOperation } from './keywords/create-keyword.ts'
import { createKeywordsOperation } from './keywords/create-keywords.ts'
import { deleteKeywordOperation } from './keywords/delete-keyword.ts'
import { explainKeywordOperation } from './keywords/explain-keyword.ts'
import { getKeywordOperation } from './keywords/get-keyword.ts'
import { getKeywordHealthOperation } from './keywords/get-keyword-health.ts'
import { listKeywordsOperation } from './keywords/list-keywords.ts'
import { listRejectedOperation } from './keywords/list-rejected.ts'
import { listSuggestionsOperation } from './keywords/list-suggestions.ts'
import { updateKeywordOperation } from './keywords/update-keyword.ts'
import { inviteMemberOperation } from './members/invite-member.ts'
import { listInvitationsOperation } from './members/list-invitations.ts'
import { listMembersOperation } from './members/list-members.ts'
import { removeMemberOperation } from './members/remove-member.ts'
import { updateMemberOperation } from './members/update-member.ts'
import { withdrawInvitationOperation } from './members/withdraw-invitation.ts'
import { countMentionsOperation } from './mentions/count-mentions.ts'
import { exportMentionsCsvOperation } from './mentions/export-mentions-csv.ts'
import { exportMentionsJsonOperation } from './mentions/export-mentions-json.ts'
import { getMentionOperation } from './mentions/get-mention.ts'
import { listMentionChangesOperation } from './mentions/list-mention-changes.ts'
import { listMentionsOperation } from './mentions/list-mentions.ts'
import { rescoreMentionOperation } from './mentions/rescore-mention.ts'
import { streamMentionsOperation } from './mentions/stream-mentions.ts'
import { updateMentionOperation } from './mentions/update-mention.ts'
import { updateMentionsOperation } from './mentions/update-mentions.ts'
import { exportPeopleCsvOperation } from './people/export-people-csv.ts'
import { getPersonOperation } from './people/get-person.ts'
import { listPeopleOperation } from './people/list-people.ts'
import { mergePersonOperation } from './people/merge-person.ts'
import { splitPersonOperation } from './people/split-person.ts'
import { updatePersonOperation } from './people/update-person.ts'
import { searchPlatformsOperation } from './search/search-platforms.ts'
import { createSegmentOperation } from './segments/create-segment.ts'
import { deleteSegmentOperation } from './segments/delete-segment.ts'
import { getSegmentOperation } from './segments/get-segment.ts'
import { listSegmentsOperation } from './segments/list-segments.ts'
import { updateSegmentOperation } from './segments/update-segment.ts'
import { deleteWorkspaceOperation } from './service/delete-workspace.ts'
import { exportWorkspaceOperation } from './service/export-workspace.ts'
import { getHealthOperation } from './service/get-health.ts'
import { getOpenapiOperation } from './service/get-openapi.ts'
import { getWorkspaceOperation } from './service/get-workspace.ts'
import { restoreWorkspaceOperation } from './service/restore-workspace.ts'
import { updateRetentionOperation } from './service/update-retention.ts'
import { updateWorkspaceOperation } from './service/update-workspace.ts'
import { whoamiOperation } from './service/whoami.ts'
import { connectSlackOperation } from './slack/connect-slack.ts'
import { disconnectSlackOperation } from './slack/disconnect-slack.ts'
import { getSlackOperation } from './slack/get-slack.ts'
import { listSlackChannelsOperation } from './slack/list-slack-channels.ts'
import { createNamedSourceOperation } from './sources/create-named-source.ts'
import { deleteNamedSourceOperation } from './sources/delete-named-source.ts'
import { listNamedSourcesOperation } from './sources/list-named-sources.ts'
import { listSourcesOperation } from './sources/list-sources.ts'
import { connectChannelOperation } from './telegram/connect-channel.ts'
import { getUsageOperation } from './usage/get-usage.ts'
import { getUsageBreakdownOperation } from './usage/get-usage-breakdown.ts'
import { createViewOperation } from './views/create-view.ts'
import { deleteViewOperation } from './views/delete-view.ts'
import { getViewOperation } from './views/get-view.ts'
import { getViewFeedOperation } from './views/get-view-feed.ts'
import { listViewsOperation } from './views/list-views.ts'
import { rotateFeedTokenOperation } from './views/rotate-feed-token.ts'
import { updateViewOperation } from './views/update-view.ts'

/** Every operation, in the order in which the documents show them within their chapter. */
export const CATALOGUE: readonly Operation[] = [
  getHealthOperation,
  getOpenapiOperation,
  whoamiOperation,
  getWorkspaceOperation,
  updateWorkspaceOperation,
  updateRetentionOperation,
  deleteWorkspaceOperation,
  restoreWorkspaceOperation,
  exportWorkspaceOperation,

  listApiKeysOperation,
  createApiKeyOperation,
  revokeApiKeyOperation,

  listGroupsOperation,
  createGroupOperation,
  getGroupOperation,
  updateGroupOperation,
  deleteGroupOperation,

  getCompanyOperation,
  updateCompanyOperation,

  getFiltersOperation,
  updateFiltersOperation,
  changeFilterEntriesOperation,

  listKeywordsOperation,
  createKeywordOperation,
  createKeywordsOperation,
  getKeywordOperation,
  updateKeywordOperation,
  deleteKeywordOperation,
  getKeywordHealthOperation,
  listSuggestionsOperation,
  explainKeywordOperation,
  listRejectedOperation,

  listMentionsOperation,
  countMentionsOperation,
  exportMentionsJsonOperation,
  exportMentionsCsvOperation,
  streamMentionsOperation,
  getMentionOperation,
  updateMentionOperation,
  updateMentionsOperation,
  rescoreMentionOperation,
  listMentionChangesOperation,

  streamEventsOperation,

  listViewsOperation,
  createViewOperation,
  getViewOperation,
  updateViewOperation,
  deleteViewOperation,
  rotateFeedTokenOperation,
  getViewFeedOperation,

  getAnalyticsSummaryOperation,
  getAnalyticsSeriesOperation,
  getAnalyticsBreakdownOperation,
  getShareOfVoiceOperation,
  getReviewAnalyticsOperation,
  searchPlatformsOperation,
  listSourcesOperation,
  listNamedSourcesOperation,
  createNamedSourceOperation,
  deleteNamedSourceOperation,

  listPeopleOperation,
  exportPeopleCsvOperation,
  getPersonOperation,
  updatePersonOperation,
  mergePersonOperation,
  splitPersonOperation,

  listSegmentsOperation,
  createSegmentOperation,
  getSegmentOperation,
  updateSegmentOperation,
  deleteSegmentOperation,

  listMembersOperation,
  updateMemberOperation,
  removeMemberOperation,
  listInvitationsOperation,
  inviteMemberOperation,
  withdrawInvitationOperation,

  listAuditOperation,

  listAttentionOperation,
  getAttentionOperation,
  dismissAttentionOperation,
  dismissAttentionItemsOperation,

  listChannelsOperation,
  createChannelOperation,
  getChannelOperation,
  updateChannelOperation,
  createConfirmationOperation,
  listSuppressionsOperation,
  removeSuppressionOperation,
  deleteChannelOperation,
  rotateSecretOperation,
  connectChannelOperation,
  testChannelOperation,
  getPresetsOperation,
  setPresetsOperation,
  createInspectionOperation,
  getInspectionOperation,

  getSlackOperation,
  connectSlackOperation,
  disconnectSlackOperation,
  listSlackChannelsOperation,

  listAlertsOperation,
  createAlertOperation,
  previewAlertOperation,
  getAlertOperation,
  updateAlertOperation,
  deleteAlertOperation,
  muteAlertAuthorsOperation,
  unmuteAlertAuthorsOperation,
  runAlertOperation,
  testAlertOperation,

  searchDeliveriesOperation,
  listDeliveriesOperation,
  getDeliveryOperation,
  retryDeliveryOperation,
  replayDeliveryOperation,

  getUsageOperation,
  getUsageBreakdownOperation,
  getWalletOperation,
  listLedgerOperation,
  createTopUpOperation,
  updateAutoRechargeOperation,
  listInvoicesOperation,
  getInvoiceUrlOperation,
]
