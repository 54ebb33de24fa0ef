import { direct } from '@/api/direct';
import { callsOf } from '../calls';
import type { Job } from '../jobs';
import type { ResourceKey } from '../registry';

/** Bytes and rows that a file may have; the server takes no more. */
export const FILE_MAX = 8 * 1024 * 1024;
export const ROWS_MAX = 10_000;

/** Stands for a column that is passed over. */
const SKIPPED_COLUMN = '-';
/** A large file over a slow network takes longer than other calls. */
const UPLOAD_TIMEOUT_MS = 180_000;
const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

/** A file as it was when it was chosen: what becomes of it on the disk afterwards is another one. */
export interface ChosenFile {
  name: string;
  type: string;
  bytes: ArrayBuffer;
}

/** A column of a file; `field` is what it seems to be, empty where that cannot be told. */
interface ImportColumn {
  heading: string;
  samples: string[];
  field: string;
  /** What it may be, where a person has to choose. */
  candidates?: string[];
  /** It counts the rows. */
  is_running_number?: boolean;
}

/** What a column can be. */
export interface ImportField {
  name: string;
  label: string;
  is_required: boolean;
  /** The values that it can have; none where anything can be typed. */
  choices?: string[];
}

/** A file as the server read it. */
export interface ImportPreview {
  rows: number;
  columns: ImportColumn[];
  fields: ImportField[];
  /** The sheets of a workbook, and which of them was read. */
  sheets?: string[];
  sheet?: string;
  /** The row with the headings, and the first rows to choose another one from. */
  heading_row?: number;
  top_rows?: { row: number; cells: string[] }[];
}

/** What is wrong with a row. */
export interface ImportRowError {
  row: number;
  name: string;
  message: string;
  fields?: Record<string, string>;
  /** What stands in the cells that are wrong, and what would do. */
  values?: Record<string, string>;
  proposals?: Record<string, string>;
}

/** What would come of a file. */
export interface ImportReport {
  creates: number;
  updates: number;
  deletes: number;
  failed: number;
  /** The first of what is wrong. */
  errors: ImportRowError[];
}

/** Tries out, takes in all or nothing, or takes in what is right. */
export type ImportMode = 'dry_run' | 'all' | 'valid';

/** Reads a file that somebody chose. */
export const readFile = async (file: File): Promise<ChosenFile> => {
  const type = /\.xlsx$/i.test(file.name) ? XLSX : 'text/csv';
  return { name: file.name, type, bytes: await file.arrayBuffer() };
};

const upload = <T>(url: string, { type, bytes }: ChosenFile, params: object, signal: AbortSignal) =>
  direct<T>(
    {
      url,
      method: 'POST',
      params,
      body: bytes,
      headers: { 'content-type': type },
      timeout: UPLOAD_TIMEOUT_MS,
    },
    signal,
  );

/** Where the table is in a file, if somebody said so: on which sheet, and below which row. */
export interface TablePlace {
  sheet?: string;
  headingRow?: number;
}

const placeParams = ({ sheet, headingRow }: TablePlace) => ({ sheet, heading_row: headingRow });

/** What a file seems to be. */
export const previewFile = (key: ResourceKey, file: ChosenFile, place: TablePlace, signal: AbortSignal) =>
  upload<ImportPreview>(`${callsOf(key).path}/import/preview`, file, placeParams(place), signal);

/** What is done with numbers that may have lost zeros: they are wrong, completed, or left as they are. */
export type ProposalChoice = 'ask' | 'take' | 'leave';

/** What somebody said about what a trial found. */
export interface ImportChoices {
  createMissing: boolean;
  proposals: ProposalChoice;
}

/** What is done with a file. */
export interface ImportRequest {
  file: ChosenFile;
  place: TablePlace;
  choices: ImportChoices;
  /** What each column is, in the order of the file. */
  columns: string[];
  /** Whose the new rows are, where a platform owner says so. */
  tenantId: string;
  mode: ImportMode;
}

/** Starts a job that tries a file out or takes it in. */
export const importFile = (key: ResourceKey, request: ImportRequest, signal: AbortSignal) => {
  const column = request.columns.map((name) => name || SKIPPED_COLUMN);
  const { createMissing, proposals } = request.choices;
  const params = {
    ...placeParams(request.place),
    column,
    mode: request.mode,
    tenant_id: request.tenantId,
    create_missing: createMissing || undefined,
    proposals: proposals === 'ask' ? undefined : proposals,
  };
  return upload<Job>(`${callsOf(key).path}/import`, request.file, params, signal);
};
