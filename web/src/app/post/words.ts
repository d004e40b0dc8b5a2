export const words = {
  unknownAuthor: 'Unknown author',
  relevanceOf: (relevance: number) => `Relevance ${relevance} of 100`,
  toward: (sentiment: string, term: string) => `${sentiment} toward ${term}`,
  sentiments: { positive: 'Positive', neutral: 'Neutral', negative: 'Negative' },
  sentimentSigns: { positive: '▲', neutral: '■', negative: '▼' },
  intent: (intent: string) => intent.replaceAll('_', ' '),
  openOn: (platform: string) => `Open on ${platform}`,
} as const
