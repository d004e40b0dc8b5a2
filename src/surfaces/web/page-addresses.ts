/** Addresses that get the dashboard, as route patterns. A test holds them equal to the routes of the dashboard. */
export const PAGE_ADDRESSES = [
  '/start',
  '/inbox',
  '/inbox/:view',
  '/mentions/:mention',
  '/search',
  '/keywords',
  '/keywords/:keyword',
  '/keywords/:keyword/:tab',
  '/analytics',
  '/analytics/:tab',
  '/people',
  '/people/:person',
  '/segments',
  '/segments/:segment',
  '/alerts',
  '/alerts/new',
  '/alerts/:alert',
  '/channels',
  '/channels/new',
  '/channels/:channel',
  '/deliveries',
  '/deliveries/:delivery',
  '/attention',
  '/billing',
  '/billing/:tab',
  '/settings',
  '/settings/:tab',
  '/developers',
  '/sources',
] as const

/** Where a signed-in person begins. */
export const DASHBOARD_HOME = '/inbox'

/** The first request of the dashboard for mentions there. A test holds it equal to what the inbox asks for. */
export const FIRST_LIST = '/v1/mentions?status=open&relevant=true&sort=newest&limit=50'
