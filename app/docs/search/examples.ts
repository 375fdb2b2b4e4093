/** Searches to try after one that found nothing. Each finds something. */
export const SEARCH_EXAMPLES = ['request a run', 'version_conflict', 'BASE_URL', 'createService']
