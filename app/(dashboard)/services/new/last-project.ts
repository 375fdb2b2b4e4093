export const LAST_PROJECT_COOKIE = 'last_project'

const YEAR_S = 31_536_000

/** Remembers the project of the last new service. In a cookie, so that the server renders the form with it. */
export function rememberProject(projectId: string): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in browsers that we support
  document.cookie = `${LAST_PROJECT_COOKIE}=${projectId}; Path=/services/new; Max-Age=${YEAR_S}; SameSite=Lax`
}
