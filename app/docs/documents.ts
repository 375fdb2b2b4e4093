import { BOOK_NAMES, BOOKS, type BookName, everyPage, pagesOf } from './books.ts'
import { chapterText } from './markdown/chapter.ts'
import { findOperation, operationGroups } from './reference/document.ts'
import { operationMarkdown, operationsMarkdown } from './reference/operation-markdown.ts'

// The pages of the documentation as Markdown, for programs. Their sources are those of the pages.

/** Returns the Markdown of the page at a path, such as `/docs/guide`, or null. Its links lead to Markdown too. */
export function findDocument(path: string): string | null {
  const text = readDocument(path)
  return text === null ? null : text.replace(/\]\((\/docs(?:\/[^)#]*)?)(#[^)]*)?\)/g, ']($1.md$2)')
}

function readDocument(path: string): string | null {
  if (path === '/docs') return operationsMarkdown()
  const page = everyPage().find((each) => each.path === path)
  if (page) return chapterText(page.chapter)
  const [, id = ''] = /^\/docs\/operations\/(\w+)$/.exec(path) ?? []
  const operation = findOperation(id)
  return operation ? operationMarkdown(operation) : null
}

/** Returns `/llms.txt`: what Soundline is, and all pages with their addresses. `origin` is the address of this server. */
export function llmsText(origin: string): string {
  const link = (title: string, path: string, about: string) => `- [${title}](${origin}${path}): ${about}`
  const pageLinks = (book: BookName) =>
    pagesOf(book)
      .map(({ path, chapter }) =>
        link(chapter.title, `${path}.md`, chapter.sections.map(({ title }) => title).join(', ')),
      )
      .join('\n')
  return [
    '# Soundline',
    '> Soundline monitors HTTP services from the outside with scripted probes. Programs use a REST API with an API key, the command line `soundline`, or tools by the Model Context Protocol.',
    `Send \`Authorization: Bearer <API key>\` with each request to ${origin}/api/public/v1. Match errors by their \`error\` code. Request a run and wait for it with \`POST /services/{id}/run?wait=30\`.`,
    ...BOOK_NAMES.flatMap((name) => [`## ${BOOKS[name].title}`, pageLinks(name)]),
    '## API',
    [
      link('API reference', '/docs.md', 'All operations'),
      link('OpenAPI document', '/api/openapi/public/v1.json', 'OpenAPI 3.1'),
      link('MCP endpoint', '/docs/guide/mcp.md', `Tools at ${origin}/api/mcp`),
    ].join('\n'),
    '## Operations',
    operationGroups()
      .flatMap(({ operations }) => operations)
      .map(({ id, method, path, summary }) => link(`${method} ${path}`, `/docs/operations/${id}.md`, summary))
      .join('\n'),
  ]
    .join('\n\n')
    .concat('\n')
}
