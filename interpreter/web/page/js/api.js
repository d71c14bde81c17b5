/** Calls of the server's interface. A refusal becomes an `ApiError` whose message is the server's own sentence. */

import { language, t } from "./words.js";

export class ApiError extends Error {
  /** @param {number} status @param {string} words @param {any} [body] */
  constructor(status, words, body) {
    super(words);
    this.status = status;
    this.body = body;
  }
}

/** @param {string} path @param {{token?: string | null, body?: any, method?: string, query?: Record<string, any>}} [what] */
export async function call(path, what = {}) {
  const query = new URLSearchParams({ language: language(), ...(what.query ?? {}) });
  /** @type {Record<string, string>} */
  const headers = {};
  if (what.token) headers.Authorization = `Bearer ${what.token}`;
  if (what.body !== undefined) headers["Content-Type"] = "application/json";
  const method = what.method ?? (what.body === undefined ? "GET" : "POST");
  let answer;
  try {
    answer = await fetch(`/api/${path}?${query}`, { method, headers, body: what.body === undefined ? undefined : JSON.stringify(what.body) });
  } catch {
    throw new ApiError(0, t("error.unreachable"));
  }
  const isJson = (answer.headers.get("content-type") ?? "").includes("json");
  const body = isJson ? await answer.json() : await answer.text();
  if (!answer.ok) throw new ApiError(answer.status, wordsOf(body) ?? t("error.status", { status: answer.status }), body);
  return body;
}

/** @param {any} body @returns {string | null} */
function wordsOf(body) {
  if (!body || typeof body !== "object") return null;
  const error = body.error ?? body.message ?? body.words;
  return typeof error === "string" ? error : (error?.words ?? error?.message ?? null);
}

/** Keeps a file that the reader asked for. @param {string} name @param {any} content */
export function download(name, content) {
  const text = typeof content === "string" ? content : JSON.stringify(content, null, 1);
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "application/octet-stream" }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
