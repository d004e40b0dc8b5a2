/** The version that the description of the interface declares. */
export const API_VERSION = '0.0.1'
