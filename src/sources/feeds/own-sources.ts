/** Hosts that are read better by sources of their own. */
export const OWN_SOURCES: ReadonlySet<string> = new Set(['news.ycombinator.com', 'lobste.rs', 'dev.to'])
