import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { BOOKS, type BookName, findPage, pagesOf } from '../books.ts'
import { MarkdownLink } from '../markdown/markdown-link.tsx'
import { BookView } from './book-view.tsx'

type Props = { book: BookName; params: Promise<{ page: string }> }

/** The first page of a book, at the book's own address. */
export function FirstPage({ book }: { book: BookName }) {
  return <Page book={book} name={BOOKS[book].names[0] ?? ''} />
}

/** Another page of a book by its name, or 404. */
export async function Subpage({ book, params }: Props) {
  const { page } = await params
  if (page === BOOKS[book].names[0]) notFound()
  return <Page book={book} name={page} />
}

export function firstPageMetadata(book: BookName): Metadata {
  return metadataOf(book, BOOKS[book].names[0] ?? '')
}

export async function subpageMetadata({ book, params }: Props): Promise<Metadata> {
  return metadataOf(book, (await params).page)
}

function Page({ book, name }: { book: BookName; name: string }) {
  const page = findPage(book, name)
  if (!page) notFound()
  const contents = pagesOf(book).map(({ path, chapter }) => ({
    path,
    title: chapter.title,
    sections: chapter.sections.map(({ title, anchor }) => ({ title, anchor })),
  }))
  return (
    <>
      <MarkdownLink path={page.path} />
      <BookView path={page.path} chapter={page.chapter} contents={contents} />
    </>
  )
}

function metadataOf(book: BookName, name: string): Metadata {
  return { title: findPage(book, name)?.chapter.title ?? 'Not found' }
}
