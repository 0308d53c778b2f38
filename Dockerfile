# The program alone, which needs nothing else. Build it first:
#
#   CGO_ENABLED=0 GOOS=linux go build -trimpath -ldflags='-s -w' ./cmd/yomikiri
#   docker build -t yomikiri .
FROM scratch
COPY yomikiri /yomikiri
WORKDIR /data
EXPOSE 8080
ENTRYPOINT ["/yomikiri"]
