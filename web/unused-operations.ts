/** Operations that the dashboard does not call, with reasons. A test proves that the list is complete and true. */
export const UNUSED_OPERATIONS: Readonly<Record<string, string>> = {
  'change-filter-entries': 'The page of filters sends whole lists with their version.',
  'create-keywords': 'Keywords are made one by one, each with its hints.',
  'export-workspace': 'An archive can be larger than the memory of a browser; a program saves it to a file.',
  'get-group': 'The list of groups holds whole groups.',
  'get-usage': 'The page of money reads the wallet, which holds the same figures and more.',
  'get-view': 'The list of views holds whole views.',
  'get-view-feed': 'Feed readers get it, at the address that the dashboard shows.',
  'invite-member': 'The page of the team, which works without scripts, does it.',
  'list-deliveries': 'The log over all channels takes the same filters and the channel.',
  'list-suggestions': 'The health of a keyword holds its suggestions.',
  'remove-member': 'The page of the team, which works without scripts, does it.',
  'stream-mentions': 'The stream of events tells of mentions and of everything else that changes.',
  'update-member': 'The page of the team, which works without scripts, does it.',
  'update-mention': 'Changes of one mention travel with others in one request for many.',
  'withdraw-invitation': 'The page of the team, which works without scripts, does it.',
}
