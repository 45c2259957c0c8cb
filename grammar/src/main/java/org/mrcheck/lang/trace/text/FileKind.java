package org.mrcheck.lang.trace.text;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.mrcheck.lang.diagnostic.Diagnostic;
import org.mrcheck.lang.diagnostic.Utf8;

/** Recognises files that are certainly no traces, by their first bytes. */
final class FileKind {
  /** How many bytes at the beginning are looked at, if the file has that many. */
  static final int BYTES_NEEDED = 8;

  private static final int TEXT_SAMPLE_BYTES = 4096;
  private static final String MAGIC_WORD = "mrtrace";
  private static final String IMPORT =
      "turn it into a trace first: mrcheck import FILE -o x.mrtrace";
  private static final String TO_TEXT =
      "turn it into text first: mrcheck convert FILE -o x.mrtrace";
  private static final String UNPACK = "unpack it first";
  private static final String RECODE =
      "save it as UTF-8 (the > of Windows PowerShell writes UTF-16)";

  private record Kind(String what, String advice, int... magic) {}

  private static final List<Kind> KINDS =
      List.of(
          new Kind("a binary trace", TO_TEXT, 0x89, 'M', 'R', 'T'),
          new Kind("a pcap capture", IMPORT, 0xd4, 0xc3, 0xb2, 0xa1),
          new Kind("a pcap capture", IMPORT, 0xa1, 0xb2, 0xc3, 0xd4),
          new Kind("a pcap capture", IMPORT, 0x4d, 0x3c, 0xb2, 0xa1),
          new Kind("a pcap capture", IMPORT, 0xa1, 0xb2, 0x3c, 0x4d),
          new Kind("a pcapng capture", IMPORT, 0x0a, 0x0d, 0x0d, 0x0a),
          new Kind("a gzip file", UNPACK, 0x1f, 0x8b),
          new Kind("a zip file", UNPACK, 'P', 'K', 3, 4),
          new Kind("a bzip2 file", UNPACK, 'B', 'Z', 'h'),
          new Kind("an xz file", UNPACK, 0xfd, '7', 'z', 'X', 'Z'),
          new Kind("a zstd file", UNPACK, 0x28, 0xb5, 0x2f, 0xfd),
          new Kind("text in UTF-16", RECODE, 0xff, 0xfe),
          new Kind("text in UTF-16", RECODE, 0xfe, 0xff),
          new Kind("a JPEG image", "", 0xff, 0xd8, 0xff),
          new Kind("a PNG image", "", 0x89, 'P', 'N', 'G'),
          new Kind("a PDF file", "", '%', 'P', 'D', 'F', '-'),
          new Kind("a program", "", 0x7f, 'E', 'L', 'F'));

  private FileKind() {}

  /** Throws if the file that begins with these bytes is no text. */
  static void rejectForeign(byte[] buffer, int filled, String file) throws TraceSyntaxException {
    for (Kind kind : KINDS) {
      if (begins(buffer, filled, kind.magic())) {
        throw foreign(file, kind.what(), kind.advice());
      }
    }
    int sample = Math.min(filled, TEXT_SAMPLE_BYTES);
    int text = 0;
    while (text < sample && buffer[text] != 0) {
      int length = Utf8.sequenceLength(buffer, text, sample);
      if (length == 0) {
        break;
      }
      text += length;
    }
    // A character cut by the end of the sample is no reason to refuse, nor is damage to a trace
    // behind its version line.
    String beginning = new String(buffer, 0, text, StandardCharsets.UTF_8);
    if (text < sample - 3 && !beginning.contains(MAGIC_WORD)) {
      boolean nul = buffer[text] == 0;
      throw foreign(
          file, nul ? "a binary file" : "a binary file or text in another encoding than UTF-8", "");
    }
  }

  private static boolean begins(byte[] buffer, int filled, int... magic) {
    if (filled < magic.length) {
      return false;
    }
    for (int index = 0; index < magic.length; index++) {
      if (buffer[index] != (byte) magic[index]) {
        return false;
      }
    }
    return true;
  }

  private static TraceSyntaxException foreign(String file, String what, String advice) {
    Diagnostic diagnostic =
        Diagnostic.errorInFile("this is " + what + ", not a trace", file)
            .withExpected("text in UTF-8 that begins with the line \"mrtrace 1\"");
    return new TraceSyntaxException(advice.isEmpty() ? diagnostic : diagnostic.withAdvice(advice));
  }
}
