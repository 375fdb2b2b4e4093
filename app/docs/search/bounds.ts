/** Characters of a search that are read. */
export const SEARCH_CHARACTERS_MAX = 100
