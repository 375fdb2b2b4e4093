/** Tells programs where the page is as Markdown. React puts it into the head. */
export function MarkdownLink({ path }: { path: string }) {
  return <link rel="alternate" type="text/markdown" href={`${path}.md`} />
}
