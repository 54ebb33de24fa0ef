/** A name that no layout may break on. */
export const LONG_NAME =
  'Truk Tronton Wingbox Pengangkut Semen Curah Cabang Pelabuhan Tanjung Perak Surabaya Nomor 0017/B';
