import {
  dashboardFigures,
  keywordFigures,
  sentimentFigures,
  sourceFigures,
  volumeFigures,
} from './analytics/figures.ts'
import type { CompatOperation } from './define.ts'
import { createFeedbackCompat, deleteFeedbackCompat, feedbackStatsCompat, listTagsCompat } from './feedback/feedback.ts'
import { createFeedCompat, deleteFeedCompat, getFeedCompat, listFeedsCompat, updateFeedCompat } from './feeds/feeds.ts'
import {
  addGlobalFiltersCompat,
  getGlobalFiltersCompat,
  removeGlobalFiltersCompat,
  updateGlobalFiltersCompat,
} from './global-filters/filters.ts'
import { createKeywordCompat } from './keywords/create-keyword.ts'
import { deleteKeywordCompat } from './keywords/delete-keyword.ts'
import { listKeywordsCompat } from './keywords/list-keywords.ts'
import { pauseKeywordCompat } from './keywords/pause-keyword.ts'
import { updateKeywordCompat } from './keywords/update-keyword.ts'
import { exportMentionsCompat } from './mentions/export-mentions.ts'
import { getMentionCompat } from './mentions/get-mention.ts'
import { listByAuthorCompat } from './mentions/list-by-author.ts'
import { listMentionsCompat } from './mentions/list-mentions.ts'
import { updateMentionCompat } from './mentions/update-mention.ts'
import { OFF_OPERATIONS } from './off.ts'
import { getCompanyCompat, updateCompanyCompat } from './org/company.ts'
import {
  getAuthCompat,
  getOrgCompat,
  inviteMemberCompat,
  listInvitationsCompat,
  listMembersCompat,
  removeMemberCompat,
  updateOrgCompat,
} from './org/org.ts'
import { getUsageCompat } from './org/usage.ts'

/** Every operation of this interface: routes, descriptions and tests are made from it. */
export const COMPAT_CATALOGUE: readonly CompatOperation[] = [
  listMentionsCompat,
  exportMentionsCompat,
  listByAuthorCompat,
  getMentionCompat,
  updateMentionCompat,
  listTagsCompat,
  listKeywordsCompat,
  createKeywordCompat,
  updateKeywordCompat,
  pauseKeywordCompat,
  deleteKeywordCompat,
  listFeedsCompat,
  createFeedCompat,
  getFeedCompat,
  updateFeedCompat,
  deleteFeedCompat,
  getGlobalFiltersCompat,
  updateGlobalFiltersCompat,
  addGlobalFiltersCompat,
  removeGlobalFiltersCompat,
  getAuthCompat,
  getOrgCompat,
  updateOrgCompat,
  getUsageCompat,
  getCompanyCompat,
  updateCompanyCompat,
  listMembersCompat,
  listInvitationsCompat,
  inviteMemberCompat,
  removeMemberCompat,
  volumeFigures,
  sentimentFigures,
  sourceFigures,
  keywordFigures,
  dashboardFigures,
  createFeedbackCompat,
  deleteFeedbackCompat,
  feedbackStatsCompat,
  ...OFF_OPERATIONS,
]
