#!/usr/bin/env python3
"""Makes the fonts of this folder from those of Debian 12: fonts-noto-core, fonts-noto-cjk and unicode-data.

    apt-get install fonts-noto-core fonts-noto-cjk unicode-data
    python3 -m venv /tmp/fonts && /tmp/fonts/bin/pip install fonttools==4.68.0
    /tmp/fonts/bin/python libs/tables/fonts/make.py

Latin with all that Vietnamese and the like need, Greek, Cyrillic, Arabic, Thai, Javanese, symbols; of Chinese the 8,105 characters of the Table of
General Standard Chinese Characters (2013), GB 2312, and the 5,401 frequent characters of Big5. Nothing here depends on
the time of making, so the same sources give the same bytes.
"""

import bz2
from pathlib import Path

from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont

HERE = Path(__file__).parent
NOTO = Path("/usr/share/fonts")
UNIHAN = "/usr/share/unicode/Unihan_OtherMappings.txt.bz2"


def ranges(*pairs):
    return {code for first, last in pairs for code in range(first, last + 1)}


EUROPEAN = ranges(
    (0x20, 0x7E),
    (0xA0, 0x24F),  # Latin-1, Latin Extended-A and -B
    (0x2B0, 0x36F),  # modifiers and combining marks
    (0x370, 0x3FF),  # Greek
    (0x400, 0x52F),  # Cyrillic
    (0x1E00, 0x1EFF),  # Latin Extended Additional: Vietnamese
    (0x2010, 0x205E),  # punctuation
    (0x2070, 0x209C),
    (0x20A0, 0x20BF),  # currencies
    (0x2100, 0x214F),
    (0x2190, 0x2195),
    (0x2212, 0x2212),
    (0x25A0, 0x25E6),
    (0x25CC, 0x25CC),
)
ARABIC = ranges((0x600, 0x6FF), (0x750, 0x77F), (0x200C, 0x200F), (0xFB50, 0xFDFF), (0xFE70, 0xFEFC))

THAI = ranges((0xE00, 0xE7F))
JAVANESE = ranges((0xA980, 0xA9DF))
SYMBOLS = ranges(
    (0x2190, 0x21FF),  # arrows
    (0x2300, 0x23FF),  # technical
    (0x2460, 0x24FF),  # enclosed letters and numbers
    (0x2580, 0x27BF),  # blocks, shapes, miscellaneous, dingbats
    (0x2900, 0x297F),
    (0x2B00, 0x2BFF),
    (0x1F300, 0x1F6FF),  # pictures, as far as there are any in one colour: places, vehicles, weather
)


def chinese():
    codes = set()
    with bz2.open(UNIHAN, "rt", encoding="utf-8") as lines:
        for line in lines:
            if not line.startswith("U+"):
                continue
            code, key, value = line.rstrip("\n").split("\t")
            # Big5 has its frequent characters below C940.
            if key in ("kTGH", "kGB0") or (key == "kBigFive" and int(value[:4], 16) < 0xC940):
                codes.add(int(code[2:], 16))
    # The first rows of GB 2312 are punctuation, symbols, kana and wide forms.
    for row in range(0xA1, 0xAA):
        for cell in range(0xA1, 0xFF):
            try:
                codes.add(ord(bytes([row, cell]).decode("gb2312")))
            except UnicodeDecodeError:
                pass
    return codes | ranges((0x20, 0x7E), (0x3000, 0x303F), (0xFF01, 0xFF5E), (0xFFE0, 0xFFE6))


def make(name, source, codes, number=-1, features=()):
    font = TTFont(NOTO / source, fontNumber=number, recalcTimestamp=False)
    options = Options(
        hinting=False,
        layout_features=list(features),
        name_IDs=[0, 1, 2, 3, 4, 5, 6, 7, 13, 14],
        notdef_outline=True,
        glyph_names=False,
        drop_tables=["DSIG", "BASE", "VORG", "vhea", "vmtx", "STAT", "meta"],
    )
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=codes)
    subsetter.subset(font)
    font.save(HERE / name)
    print(f"{name}: {len(font.getBestCmap())} characters, {(HERE / name).stat().st_size} bytes")


SHAPING = ["ccmp", "locl", "kern", "mark", "mkmk", "init", "medi", "fina", "isol", "rlig", "calt", "curs"]
for weight in ("Regular", "Bold"):
    make(f"NotoSans-{weight}.ttf", f"truetype/noto/NotoSans-{weight}.ttf", EUROPEAN, features=SHAPING)
    make(f"NotoSansArabic-{weight}.ttf", f"truetype/noto/NotoSansArabic-{weight}.ttf", ARABIC, features=SHAPING)
make("NotoSansThai-Regular.ttf", "truetype/noto/NotoSansThai-Regular.ttf", THAI, features="*")
make("NotoSansJavanese-Regular.ttf", "truetype/noto/NotoSansJavanese-Regular.ttf", JAVANESE, features="*")
make("NotoSansSymbols-Regular.ttf", "truetype/noto/NotoSansSymbols-Regular.ttf", SYMBOLS)
make("NotoSansSymbols2-Regular.ttf", "truetype/noto/NotoSansSymbols2-Regular.ttf", SYMBOLS)
make("NotoSansSC-Regular.otf", "opentype/noto/NotoSansCJK-Regular.ttc", chinese(), number=2)
