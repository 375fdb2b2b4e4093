/**
 * Returns the anchor of a heading, such as `wait-for-a-run`. A heading that is an error code has an anchor such as
 * `code-not_found`, which the `doc` of errors links to. The renderer takes the backticks of a code away.
 */
export function anchorOf(heading: string): string {
  const code = /^`?([a-z]+(?:_[a-z]+)+)`?$/.exec(heading.trim())?.[1]
  if (code !== undefined) return `code-${code}`
  return heading
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
}
