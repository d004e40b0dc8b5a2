/** Where keys for the interfaces of Google are made. */
export const GOOGLE_KEYS = 'https://console.cloud.google.com/apis/credentials'
