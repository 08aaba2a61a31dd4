/**
 * Replies that people gave to similar messages (BM25 over contexts, Robertson & Zaragoza 2009, by
 * minisearch). The index is made by build-index.ts from data that the operator has; none is shipped.
 */
import { readFile } from 'node:fs/promises';
import MiniSearch, { type Options } from 'minisearch';
import { stemmer } from 'stemmer';
import { z } from 'zod';
import { failed, type Result, success } from '../result.ts';
import { MAX_QUERY_TERMS, MAX_TERM_SHARE } from './constants.ts';
import { stemsOf, wordsOf } from './words.ts';

/** Finds replies. */
export interface Retrieval {
  /** Replies in the index. */
  readonly size: number;
  /**
   * Replies to the most similar contexts, best first, no two alike.
   * @param query what the person said
   * @param count replies at most
   */
  find(query: string, count: number): readonly string[];
}

/** Why an index cannot be used; for the operator. */
export interface RetrievalFailure {
  readonly message: string;
}

/** One context and the reply to it. */
export interface Exchange {
  readonly context: string;
  readonly reply: string;
}

interface Entry extends Exchange {
  readonly id: number;
}

/** First line of an index file; the second is minisearch's own JSON. */
const HEADER = JSON.stringify({ format: 'attune-retrieval-1' });

const OPTIONS: Options<Entry> = {
  fields: ['context'],
  storeFields: ['reply'],
  tokenize: wordsOf,
  processTerm: stemmer,
};

const storedReply = z.object({ reply: z.string() });

/** Make the text of an index file. Terms of very many contexts are left out, see MAX_TERM_SHARE. */
export function buildRetrieval(exchanges: readonly Exchange[]): string {
  const contexts = new Map<string, number>();
  for (const { context } of exchanges) {
    for (const stem of new Set(stemsOf(context))) contexts.set(stem, (contexts.get(stem) ?? 0) + 1);
  }
  const most = Math.max(1, exchanges.length * MAX_TERM_SHARE);
  const search = new MiniSearch<Entry>({
    ...OPTIONS,
    processTerm: (term) => {
      const stem = stemmer(term);
      return (contexts.get(stem) ?? 0) > most ? null : stem;
    },
  });
  search.addAll(exchanges.map((exchange, id) => ({ id, ...exchange })));
  return `${HEADER}\n${JSON.stringify(search)}\n`;
}

/** Read an index that build-index.ts wrote. */
export async function loadRetrieval(path: string): Promise<Result<Retrieval, RetrievalFailure>> {
  try {
    return readRetrieval(await readFile(path, 'utf8'));
  } catch {
    return failed({ message: `The retrieval index ${path} cannot be read.` });
  }
}

/** The same from its text. */
export function readRetrieval(text: string): Result<Retrieval, RetrievalFailure> {
  const message =
    'The retrieval index is not one, or of another version: make it anew with select/build-index.ts.';
  if (!text.startsWith(`${HEADER}\n`)) return failed({ message });
  try {
    const search = MiniSearch.loadJSON<Entry>(text.slice(HEADER.length), OPTIONS);
    return success({
      size: search.documentCount,
      find: (query, count) => find(search, query, count),
    });
  } catch {
    return failed({ message });
  }
}

function find(search: MiniSearch<Entry>, query: string, count: number): readonly string[] {
  const terms = [...new Set(wordsOf(query).toReversed())].slice(0, MAX_QUERY_TERMS);
  const replies = new Set<string>();
  for (const hit of search.search(terms.join(' '))) {
    if (replies.size >= count) break;
    const stored = storedReply.safeParse(hit);
    if (stored.success) replies.add(stored.data.reply);
  }
  return [...replies];
}
